// The four reports, as people call them.

export const report_kinds = {
  fund_allocation: {
    title: 'Fund allocation summary',
    type: 'Financial',
    description:
      'What was used in the period by category; at its end what is allocated, granted, used so far, pending and to be paid.',
  },
  claims_activity: {
    title: 'Claims activity',
    type: 'Claims',
    description:
      'What was submitted, decided and paid, of which types, how often approved and how quickly.',
  },
  company_performance: {
    title: 'Company performance',
    type: 'Analytics',
    description:
      'Companies side by side: people, funds, utilization, and how well claims are decided.',
  },
  utilization_trends: {
    title: 'Utilization trends',
    type: 'HR',
    description: 'Month by month: how much of the funds is used, in which categories, by how many.',
  },
} as const

export type Kind = keyof typeof report_kinds

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** 'January 2026', 'January – March 2026', 'November 2025 – January 2026' */
export function periodName(from_on: string, to_on: string): string {
  const [from, to] = [month.format(new Date(from_on)), month.format(new Date(to_on))]
  if (from === to) return from
  const [from_month, from_year] = from.split(' ')
  return from_year === to.split(' ')[1] ? `${from_month} – ${to}` : `${from} – ${to}`
}

export const titleOf = (kind: Kind, from_on: string, to_on: string, company: string | undefined) =>
  [report_kinds[kind].title, company, periodName(from_on, to_on)].filter(Boolean).join(' · ')

/** The last day of the month of '2026-02'. */
export function lastDay(month: string): string {
  const [year, number] = month.split('-').map(Number)
  return new Date(Date.UTC(year ?? 0, number ?? 0, 0)).toISOString().slice(0, 10)
}

/** How many calendar months a period covers, both ends counted. */
export function monthsIn(from: string, to: string): number {
  const number = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7))
  return number(to) - number(from) + 1
}

export const months_max = 36

/** The same number of months, right before. */
export function periodBefore(from_on: string, to_on: string) {
  const [year = 0, month = 1] = from_on.split('-').map(Number)
  const first = new Date(Date.UTC(year, month - 1 - monthsIn(from_on, to_on), 1))
  const last = new Date(Date.UTC(year, month - 1, 0))
  return { from_on: first.toISOString().slice(0, 10), to_on: last.toISOString().slice(0, 10) }
}

/** Periods that are asked for most, from a month to a month; none ends after the month it is. */
export function presetsOf(now: string): Record<string, [from: string, to: string]> {
  const [year = 0, month = 1] = now.split('-').map(Number)
  const back = (months: number) =>
    new Date(Date.UTC(year, month - 1 - months, 1)).toISOString().slice(0, 7)
  const in_quarter = (month - 1) % 3
  return {
    'This month': [now, now],
    'Last month': [back(1), back(1)],
    'This quarter': [back(in_quarter), now],
    'Last quarter': [back(in_quarter + 3), back(in_quarter + 1)],
    'This year': [`${year}-01`, now],
    'Last year': [`${year - 1}-01`, `${year - 1}-12`],
    'Last 12 months': [back(11), now],
  }
}
