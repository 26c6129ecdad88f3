// A booking as a file for the person's own calendar. The same UID for ever, so that a later file moves or removes
// the entry of an earlier one.
import ical, {
  ICalAlarmType,
  ICalCalendarMethod,
  ICalEventClass,
  ICalEventStatus,
} from 'ical-generator'
import type { CheckBooking } from './health-checks.contract.ts'

export type CalendarEntry = CheckBooking & { sequence: number; changed_at: string }

export function calendarOf(booking: CalendarEntry): string {
  const cancelled = booking.status === 'cancelled'
  const calendar = ical({
    prodId: { company: 'Healthfund', product: 'Health checks', language: 'EN' },
    method: cancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.PUBLISH,
  })
  const start = new Date(booking.starts_at)
  const event = calendar.createEvent({
    id: `${booking.id}@healthfund`,
    sequence: booking.sequence,
    start,
    end: new Date(start.getTime() + booking.minutes * 60_000),
    stamp: new Date(booking.changed_at),
    // Calendars are often open to colleagues: what is checked stands in no title.
    summary: 'Health check',
    // A calendar takes a cancellation from the one who made the entry alone.
    organizer: { name: 'Healthfund', email: 'health-checks@healthfund.invalid' },
    class: ICalEventClass.PRIVATE,
    location: `${booking.name}, ${booking.place}`,
    description: [booking.note, !booking.of_company && `Your code at the desk: ${booking.code}`]
      .filter(Boolean)
      .join('\n'),
    status: cancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })
  if (!cancelled) event.createAlarm({ type: ICalAlarmType.display, triggerBefore: 60 * 60 })
  return `${calendar.toString().trimEnd()}\r\n` // the last line ends like the others
}
