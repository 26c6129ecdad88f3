// Whole numbers as they are typed into forms.
import { z } from 'zod'

type NumberShape = z.ZodType<number, number>

const none = 'Enter a number'

/** A number as text in a form, as `shape` allows it. Emptied, it is a fault: `Number('')` is zero. */
export const numberText = (shape: NumberShape) =>
  z.string(none).trim().min(1, none).transform(Number).pipe(shape)

/** The same for a field that may stay empty. */
export const numberOrNull = (shape: NumberShape) =>
  z
    .string()
    .optional()
    .transform((text) => text?.trim() || null)
    .pipe(numberText(shape).nullable())
