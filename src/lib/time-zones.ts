// The time zones that somebody may choose: those that can be counted with.
import { z } from 'zod'

const isTimeZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const TimeZone = z.string().refine(isTimeZone, 'Choose a time zone')
