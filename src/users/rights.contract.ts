// The rights that a person may have for their company, beside being one of its people.
import { z } from 'zod'
import { dateText } from '#ui/date-words.ts'

/** src/policy.ts says which acts each of them opens. */
export type CompanyRight = z.infer<typeof CompanyRight>
export const CompanyRight = z.enum(
  ['owner', 'people', 'reviewer', 'receipts', 'finance', 'auditor', 'viewer'],
  'Choose a right',
)

/** Rights in people's words, and what each is for. */
export const right_words: Record<CompanyRight, readonly [string, string]> = {
  owner: ['Owner', 'Rights, plan, policy, settings and connections'],
  people: ['People', 'Employees, files, families, absences and health checks'],
  reviewer: ['Reviewer', 'Decides claims, with their receipts unless these are restricted'],
  receipts: ['Receipts', 'Opens restricted receipts, as a reviewer, with a reason'],
  finance: ['Finance', 'Funds, payouts and books, without medical content'],
  auditor: ['Auditor', 'Reads money and the record of changes, without medical content'],
  viewer: ['Viewer', 'Sees the figures of the dashboard'],
}

/** 'Owner, Finance', always in the order of the list. */
export const rightNames = (kinds: readonly string[]): string =>
  CompanyRight.options
    .filter((kind) => kinds.includes(kind))
    .map((kind) => right_words[kind][0])
    .join(', ')

/** 'Ana and the provider', which has no name here. */
export const giverNames = (names: readonly (string | null)[]): string =>
  names.map((name) => name ?? 'the provider').join(' and ')

/** The next person to count: for a day, a new holder counts as the giver where it takes two. */
export type NextSecondPerson = z.infer<typeof NextSecondPerson>
export const NextSecondPerson = z.object({
  name: z.string(),
  from_at: z.iso.datetime({ offset: true }),
})

/** 'Ana counts as a second person from Nov 27, 2026, 07:33' */
export const countsFrom = (next: NextSecondPerson | null): string | null =>
  next && `${next.name} counts as a second person from ${dateText(next.from_at, 'moment')}`
