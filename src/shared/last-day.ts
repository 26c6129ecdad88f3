import { today } from '#ui/calendar-days.ts'

/** Whether the last day is over. The database's `has_left` is true on the last day already. */
export const lastDayOver = (left_on: string | null | undefined): boolean =>
  Boolean(left_on && left_on < today())
