// Records by their name or number, within what the role may see: the lists' own searches are asked.
import { api } from '#api/api.ts'
import { dateText } from '#ui/DateText.tsx'
import { counted, money } from '#ui/figures.ts'
import { isOpenTo, type CallerKind } from '#permissions/callers.ts'
import { mayCall } from '#permissions/use-may.ts'
import { pages, pathTo, paths } from '#paths.ts'
import { placesNamed } from './places.ts'
import { pathOfView, views_api } from '#api/views-api.ts'
import { rights_api } from '#api/rights-api.ts'
import type { Holder } from '#users/giving.contract.ts'
import { right_words } from '#users/rights.contract.ts'
import { markedParts } from '#ui/marked.ts'
import { useRead } from '#ui/ask.ts'
import type { Claim } from '#claims/claims.contract.ts'
import { ViewPage, type SavedView } from '#views/views.contract.ts'
import type { CompanyDetail } from '#companies/companies.contract.ts'
import type { Employee } from '#employees/employees.contract.ts'
import type { Me, User } from '#users/users.contract.ts'

export type FindResult = {
  id: string
  to: string
  title: string
  note?: string | undefined
  /** Leads to the list of all that the first ones of are shown. */
  is_all?: true
}
export type ResultGroup = { title: string; results: FindResult[] }

type ClaimSummary = Pick<
  Claim,
  'id' | 'provider' | 'type_name' | 'for_whom' | 'service_on' | 'amount_cents' | 'currency'
>
const claimResult = (path: string, { id }: ClaimSummary) => ({
  id: String(id),
  to: pathTo(path, id),
  title: `Claim #${id}`,
})
/** All that a claim can be found by, among it. */
const summaryOf = ({
  type_name,
  provider,
  for_whom,
  service_on,
  amount_cents,
  currency,
}: ClaimSummary) =>
  [
    type_name,
    provider,
    for_whom && `for ${for_whom}`,
    dateText(service_on),
    money(amount_cents, currency),
  ]
    .filter(Boolean)
    .join(' · ')

const personResult = ({ id, full_name, email, department }: Employee) => ({
  id,
  to: pathTo(paths.person, id),
  title: full_name,
  note: [email, department].filter(Boolean).join(' · '),
})

const companyResult = ({ id, name, employees }: CompanyDetail) => ({
  id,
  to: pathTo(paths.company, id),
  title: name,
  note: counted(employees, 'employee'),
})

const userResult = ({ id, full_name, email, company_name }: User) => ({
  id,
  to: `${paths.users}?user=${id}`,
  title: full_name,
  note: [email, company_name].filter(Boolean).join(' · '),
})

/** Words that are not in its line were found in what is known of its person. */
function whyFound(search: string, facts: string, claim: { id: number; person_name: string }) {
  const note = `${claim.person_name} · ${facts}`
  const unseen = search
    .split(/\s+/)
    .some((word) => !markedParts(`#${claim.id} ${note}`, word).some(({ hit }) => hit))
  return unseen ? `${note} · found by their email, phone or department` : note
}

const limit = 5
const keepsViews = (me: Me | undefined) =>
  me && ViewPage.options.some((page) => isOpenTo(pages[page].open_to as readonly CallerKind[], me))

/** Views in whose name each typed word begins a word. */
const viewsNamed = (typed: string, views: readonly SavedView[]) => {
  const places = views.map(({ name }) => ({ to: '', title: name }))
  const titles = new Set(placesNamed(typed, places).map(({ title }) => title))
  const named = views.filter(({ name }) => titles.has(name)).slice(0, limit)
  return named.map((view): FindResult => {
    const { id, name, page, is_own, person_name } = view
    const by = is_own ? '' : ` · shared by ${person_name}`
    return { id, to: pathOfView(view), title: name, note: pages[page].title + by }
  })
}
/** Holders of rights with a name like the typed text, whom the list of employees does not have. */
const withRights = (typed: string, holders: readonly Holder[], known: readonly { id: string }[]) =>
  holders
    .filter(({ full_name }) => placesNamed(typed, [{ to: '', title: full_name }]).length > 0)
    .filter(({ id }) => !known.some((one) => one.id === id))
    .slice(0, limit)
    .map(({ id, full_name, rights }) => ({
      id,
      to: `${paths.settings}#rights`,
      title: full_name,
      note: rights.map(({ kind }) => right_words[kind][0]).join(' · '),
    }))

type FoundPage = { next: string | null; total: number | null }

/** A link to the list itself, with the same search, if it has more than the first ones. */
function toAll(found: FoundPage | undefined, noun: readonly [string, string], to: string) {
  if (!found?.next) return []
  const { total } = found
  const title = `Show all ${total === null ? `${noun[1]} found` : counted(total, ...noun)}`
  return [{ id: 'all', to, title, is_all: true } satisfies FindResult]
}

const quietly = { keep: true, quiet: true }

/** Own claims are found by their number, or by what they are for. */
function useOwnClaims(
  input: { search: string; limit: number } | undefined,
): FindResult[] | undefined {
  const number = input && /^\d{1,9}$/.test(input.search) ? Number(input.search) : undefined
  const numbered = useRead(api.claims.find, number ? { id: number } : undefined, { quiet: true })
  const named = useRead(api.claims.mine, input, quietly)
  if (!named) return undefined
  const others = named.claims.filter(({ id }) => id !== number)
  const found = number && numbered ? [numbered, ...others] : others
  return found.map((claim) => ({ ...claimResult(paths.my_claim, claim), note: summaryOf(claim) }))
}

export type FindResults = { groups: ResultGroup[]; loading: boolean }

/** A single letter would find everybody; a digit is a claim's number. */
export const isTooShort = (typed: string) => /^\D$/.test(typed.trim())

export function useFindResults(me: Me | undefined, typed: string): FindResults {
  const search = typed.trim().replace(/^#(?=\d)/, '')
  const asks = search !== '' && !isTooShort(search)
  const searched = `search=${encodeURIComponent(search)}`
  const by = (page: 'employees' | 'claims' | 'companies' | 'my_claims') =>
    me && asks && isOpenTo(pages[page].open_to as readonly CallerKind[], me)
      ? { search, limit }
      : undefined
  const [hr, reviewer, provider] = [by('employees'), by('claims'), by('companies')]
  const people = useRead(api.employees.list, hr, quietly)
  const claims = useRead(api.review.queue, reviewer && { ...reviewer, sort: 'newest' }, quietly)
  const companies = useRead(api.companies.list, provider, quietly)
  const users = useRead(api.users.list, provider, quietly)
  const hears_of_rights = me && asks && mayCall('rights.list', me)
  const holders = useRead(rights_api.list, hears_of_rights ? {} : undefined, quietly)?.holders
  const own = by('my_claims')
  const own_claims = useOwnClaims(own)
  const kept = useRead(views_api.list, keepsViews(me) && asks ? {} : undefined, quietly)
  if (!asks) return { groups: [], loading: false }
  const groups: ResultGroup[] = [
    { title: 'Saved views', results: viewsNamed(search, kept ?? []) },
    {
      title: 'People',
      results: [
        ...(people?.employees ?? []).map(personResult),
        ...toAll(people, ['employee', 'employees'], `${paths.employees}?${searched}`),
      ],
    },
    {
      title: 'People with rights',
      results: withRights(search, holders ?? [], people?.employees ?? []),
    },
    {
      title: 'Claims',
      results: [
        ...(claims?.claims ?? []).map((claim) => ({
          ...claimResult(paths.claim, claim),
          note: whyFound(search, summaryOf(claim), claim),
        })),
        ...toAll(claims, ['claim', 'claims'], `${paths.claims}?status=all&${searched}`),
      ],
    },
    { title: 'Your claims', results: own_claims ?? [] },
    {
      title: 'Companies',
      results: [
        ...(companies?.companies ?? []).map(companyResult),
        ...toAll(companies, ['company', 'companies'], `${paths.companies}?${searched}`),
      ],
    },
    {
      title: 'Users',
      results: [
        ...(users?.users ?? []).map(userResult),
        ...toAll(users, ['user', 'users'], `${paths.users}?${searched}`),
      ],
    },
  ]
  const answers = [people, claims, companies, users, own_claims]
  const may_ask = [hr, reviewer, provider, provider, own]
  return {
    groups: groups.filter(({ results }) => results.length > 0),
    loading: may_ask.some((is_open, at) => is_open && answers[at] === undefined),
  }
}
