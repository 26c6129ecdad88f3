// The days on which software fails: each with what is special about it.
export type HostileDay = { at: string; about: string; tz?: string; database_tz?: string }

export const hostile_days: HostileDay[] = [
  { at: '2026-12-31T23:30Z', about: 'a year ends in an hour, and has ended in Berlin' },
  { at: '2027-01-01T00:30Z', about: 'a year is half an hour old, and not begun in New York' },
  { at: '2027-01-31T12:00Z', about: 'the 31st, and a Sunday; next month has 28 days' },
  { at: '2027-02-28T23:30Z', about: 'the last hour of February in a common year' },
  { at: '2027-03-14T06:30Z', about: 'New York loses an hour in half an hour' },
  { at: '2027-03-28T00:30Z', about: 'Berlin loses an hour in half an hour; a Sunday' },
  { at: '2027-05-31T09:59Z', about: 'the 31st, and Kiritimati is a day ahead a minute later' },
  { at: '2027-10-31T00:30Z', about: 'Berlin has an hour twice; the 31st, and a Sunday' },
  { at: '2027-11-07T05:30Z', about: 'New York has an hour twice' },
  { at: '2028-02-29T12:00Z', about: '29 February', tz: 'Pacific/Kiritimati' },
  {
    at: '2028-12-31T12:30Z',
    about: 'the 366th day, a Sunday, seen from three days at once',
    tz: 'Pacific/Pago_Pago',
    database_tz: 'Pacific/Kiritimati',
  },
  { at: '2032-07-01T10:30Z', about: 'far ahead, in the middle of a year' },
]
