import { today } from '#ui/calendar-days.ts'

/** From the day after it on: `has_left` of the database holds on the last day already. */
export const lastDayOver = (left_on: string | null | undefined): boolean =>
  Boolean(left_on && left_on < today())
