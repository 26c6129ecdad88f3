// The bounds of a form's fields, as its shape has them.
import { z } from 'zod'

/** Of a number, or of a text at `most` so many characters. */
type Bounds = { min?: number | undefined; max?: number | undefined; most?: number | undefined }

/** A number that is typed as text has its bounds behind the text. */
export function boundsOf(shape: unknown): Bounds {
  if (shape instanceof z.ZodNumber)
    return { min: shape.minValue ?? undefined, max: shape.maxValue ?? undefined }
  if (shape instanceof z.ZodString) return { most: shape.maxLength ?? undefined }
  if (shape instanceof z.ZodPipe) return { ...boundsOf(shape.out), ...boundsOf(shape.in) }
  if (shape instanceof z.ZodUnion) return Object.assign({}, ...shape.options.map(boundsOf))
  if (shape instanceof z.ZodOptional || shape instanceof z.ZodNullable)
    return boundsOf(shape.unwrap())
  return {}
}
