// Everything that is deleted by the clock, and after how many days. The settings, the job, the privacy page, the export and
// docs/privacy.md are made from this list; what bears no clock goes with the account or stays with the books (docs/privacy.md).

export const retention_rules = {
  answers: {
    setting: 'KEEP_ANSWERS_DAYS',
    days: 1,
    least: 1,
    what: 'Copies of answers, for retries',
  },
  exports: { setting: 'KEEP_EXPORTS_DAYS', days: 7, least: 1, what: 'Exports of your own data' },
  mails: { setting: 'KEEP_MAILS_DAYS', days: 30, least: 1, what: 'Mails that could not be sent' },
  suspects: {
    setting: 'KEEP_SUSPECT_INQUIRIES_DAYS',
    days: 30,
    least: 1,
    what: 'Messages to the contact page that a machine seems to have sent',
  },
  deliveries: {
    setting: 'KEEP_DELIVERIES_DAYS',
    days: 30,
    least: 8, // tried for up to four days, and their webhook stops after three more: then they wait for it
    what: 'What was sent to companies’ own systems',
  },
  scim_calls: {
    setting: 'KEEP_SCIM_CALLS_DAYS',
    days: 30,
    least: 1,
    what: 'What companies’ identity providers asked to be written',
  },
  file_rows: {
    setting: 'KEEP_FILE_ROWS_DAYS',
    days: 90,
    least: 7,
    what: 'Rows of files in which HR uploaded people',
  },
  inquiries: {
    setting: 'KEEP_INQUIRIES_DAYS',
    days: 365,
    least: 1,
    what: 'Messages to the contact page',
  },
  sign_ins: {
    setting: 'KEEP_SIGN_INS_DAYS',
    days: 400,
    least: 30,
    what: 'The log of sign-ins and changes of accounts',
  },
  notifications: {
    setting: 'KEEP_NOTIFICATIONS_DAYS',
    days: 400,
    least: 366, // by them what reminds once a year knows that it has
    what: 'Notifications',
  },
  reports: { setting: 'KEEP_REPORTS_DAYS', days: 400, least: 30, what: 'Reports of the provider' },
  receipts: {
    setting: 'KEEP_RECEIPTS_DAYS',
    days: 3653,
    least: 365,
    what: 'Receipts with their files, from the end of their plan year',
  },
  record: {
    setting: 'KEEP_RECORD_DAYS',
    days: 3653,
    least: 365,
    what: 'Entries of the record of changes',
  },
} as const

export type RetentionRule = keyof typeof retention_rules
export type Days = Record<RetentionRule, number>
type Settings = (typeof retention_rules)[RetentionRule]['setting']

/** The days of each rule, as the settings say. */
export const daysOf = (config: Record<Settings, number>): Days =>
  Object.fromEntries(
    Object.entries(retention_rules).map(([rule, { setting }]) => [rule, config[setting]]),
  ) as Days

/** A day, 90 days, 10 years. */
export function spanOfDays(days: number): string {
  if (days === 1) return 'one day'
  const years = Math.round(days / 365.25)
  return days >= 3 * 365 && Math.abs(years * 365.25 - days) < 1 ? `${years} years` : `${days} days`
}

/** A sentence with the periods it names by their rule: "{sign_ins}." becomes "400 days.". */
export const withSpans = (sentence: string, span: (rule: RetentionRule) => string): string =>
  sentence.replaceAll(/\{(\w+)\}/g, (_, rule: RetentionRule) => span(rule))
