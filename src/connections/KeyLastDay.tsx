import { inAYear, today } from '#ui/calendar-days.ts'
import { DateField } from '#ui/DateField.tsx'

/** A key lasts a year at most: `key_ends_too_late`. */
export const KeyLastDay = () => (
  <DateField name="ends_on" label="Last day" min={today()} max={inAYear()} required />
)
