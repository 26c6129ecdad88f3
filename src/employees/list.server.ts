// A company's people, in the order and with the filters that were asked for.
import { z } from 'zod'
import { start } from '#lib/transactions.server.ts'
import { parts, row, rows, type Tx } from '#lib/db.server.ts'
import {
  keyset,
  matchingWords,
  patternOf,
  searchWords,
  withCursor,
  type KeysetOrder,
  type SearchMatch,
} from '#lib/keyset.server.ts'
import { trend_days } from '#funds/funds.contract.ts'
import { pageOf, readCursor, writeCursor } from '#lib/cursor.ts'
import { planForValues, preferIndexOrder, type OwnTx } from '#lib/tuning.server.ts'
import { Group } from './groups/groups.contract.ts'
import {
  Employee,
  employees,
  type EmployeeFilter,
  type EmployeeSearch,
} from './employees.contract.ts'
import type { Actor } from '#actor.ts'

const ListedEmployee = withCursor(Employee)
/** An employee with the money available in the running plan year. */
const ExportedEmployee = Employee.extend({
  prevention_cents: z.int(),
  treatment_cents: z.int(),
  solidarity_cents: z.int(),
  currency: z.string(),
})
export type ExportedEmployee = z.infer<typeof ExportedEmployee>

const counted_max = 1000

const by_id: KeysetOrder[number] = ['p.id', 'uuid']
const orders: Record<string, KeysetOrder> = {
  name: [['p.sort_name', 'text'], by_id],
  email: [['p.email', 'text'], by_id],
  department: [[`coalesce(p.department, '')`, 'text'], ['p.sort_name', 'text'], by_id],
  joined: [['p.joined_on', 'date'], by_id],
}

export const employeeColumns = (tx: Tx) => tx`
  p.id, p.full_name, p.email, p.phone, p.department, p.personnel_number, p.role, p.account_state,
  p.company_id, p.joined_on, p.left_on, p.confirmed_at, p.invited_at, p.requested_at, p.erased_at,
  p.version`

export const employeeRefusals = (tx: Tx, { id }: Actor) => tx`
  person_refusals(p, ${id}) || details_refusals(p.company_id, p.id)`

async function resolveSearch(
  tx: OwnTx,
  search: string | undefined,
  company_id: string,
): Promise<SearchMatch> {
  const words = searchWords(search)
  if (words.length === 0) return { ids: null, patterns: [] }
  // Few matches are gathered and counted; for many, reading the list in its order meets a page sooner. The number where that
  // turns grows with the square root of all people; a company of a few thousand may gather all.
  const [found] = await tx<[{ ids: string[] | null }]>`
    select to_json(find_people(${words}, ${company_id},
      greatest(sqrt(1.7 * n), least(${counted_max}::int, 5e6 / greatest(n, 1)))::int)) as ids
    from (select coalesce(sum(pending + active + suspended + leavers), 0) as n from headcounts
      where company_id = ${company_id}) h`
  if (!found.ids) void start(preferIndexOrder(tx)) // ahead of the others, on the same line
  return { ids: found.ids, patterns: words.map(patternOf) }
}

function conditionOf(tx: Tx, company_id: string, filter: EmployeeListFilter, match: SearchMatch) {
  const { status, department, group, person_ids } = filter
  return tx`
    p.company_id = ${company_id} and p.role = 'employee' and p.account_state <> 'requested'
    ${status ? tx`and p.account_state = ${status}` : tx``}
    ${department ? tx`and coalesce(p.department, '') = ${department}` : tx``}
    ${group ? inGroupScope(tx, company_id, group) : tx``}
    ${person_ids ? tx`and p.id = any (${person_ids}::uuid[])` : tx``}
    ${match.ids ? tx`and p.id = any (${match.ids}::uuid[])` : tx``} ${matchingWords(tx, match)}`
}

type EmployeeListRequest = z.output<typeof EmployeeSearch> & EmployeeListFilter
type GroupScope = z.infer<typeof GroupScope>
const GroupScope = Group.pick({ id: true, departments: true, people: true })
type EmployeeListFilter = z.output<typeof EmployeeFilter> & {
  group?: GroupScope
  person_ids?: string[] | undefined
}

const inGroupScope = (tx: Tx, company_id: string, { id, departments }: GroupScope) =>
  departments
    ? tx`and coalesce(p.department, '') = any (${departments}::text[])`
    : tx`and p.id in (select m.person_id from employee_group_people m
        where m.company_id = ${company_id} and m.group_id = ${id})`

/** Adds the group of the filter as it is now; nobody is in one that is gone or another company's. */
async function withGroupScope<F extends z.output<typeof EmployeeFilter>>(
  tx: Tx,
  company_id: string,
  filter: F,
): Promise<F & { group?: GroupScope }> {
  if (!filter.group_id) return filter
  const [group] = await rows(
    GroupScope,
    tx`select g.id, g.departments, people_in_group(g.id) as people from employee_groups g
      where g.company_id = ${company_id} and g.id = ${filter.group_id}`,
  )
  return { ...filter, group: group ?? { id: filter.group_id, departments: [], people: 0 } }
}

export async function listEmployees(
  tx: OwnTx,
  company_id: string,
  filter_input: z.output<typeof EmployeeSearch>,
) {
  // A filter like these leaves one person or nearly all, so it is planned for its values; the others have one good plan.
  if (filter_input.status || filter_input.department || filter_input.group_id)
    void start(planForValues(tx))
  const input = await withGroupScope(tx, company_id, filter_input)
  const { after, limit } = input
  const match = await resolveSearch(tx, input.search, company_id)
  if (match.ids?.length === 0) return { employees: [], next: null, total: 0 }
  if (!input.search && (await areMany(tx, company_id, input))) void start(preferIndexOrder(tx))
  const scope = { tx, company_id, input, match }
  const [found, total] = await Promise.all([
    input.search && !input.sort
      ? bestFirst(scope, input.search)
      : run(scope, input.sort ?? 'name', after, limit + 1),
    countEmployees(tx, company_id, input, match),
  ])
  const { page, next } = pageOf(found, limit)
  return { employees: page, next, total }
}

type ListQuery = { tx: Tx; company_id: string; input: EmployeeListRequest; match: SearchMatch }

/** One page of people in an order, from where the last page ended. */
function run(
  { tx, company_id, input, match }: ListQuery,
  sort: NonNullable<EmployeeListRequest['sort']>,
  after: string | undefined,
  limit: number,
  further = tx``,
) {
  const order = orders[sort.replace('-', '')] ?? []
  const { after_cursor, order_by, row_cursor } = keyset(tx, order, sort.startsWith('-'), after)
  const page_of = tx`
    from profiles p where ${conditionOf(tx, company_id, input, match)} ${further} ${after_cursor}
    order by ${order_by} limit ${limit}`
  // People skipped on the way are looked at in the index alone.
  const matching_ids = match.ids
    ? page_of
    : tx`from (select p.id ${page_of}) k
        cross join lateral (select * from profiles x where x.id = k.id limit 1) p order by ${order_by}`
  return rows(
    ListedEmployee,
    tx`select ${employeeColumns(tx)}, ${row_cursor} as row_cursor ${matching_ids}`,
  )
}

/**
 * People whose name begins with the typed text first, then those with it elsewhere, each by name. The first stand
 * together in the index, so nobody has to be skipped on the way to them.
 */
async function bestFirst(query: ListQuery, search: string) {
  const { tx, input } = query
  const { limit } = input
  const [first = ''] = searchWords(search)
  const begins = tx`p.sort_name >= ${first} and p.sort_name < ${first + last_letter}`
  const [part = 'best', ...from] = readCursor(input.after, 3) ?? []
  const after = from.length ? writeCursor(from) : undefined
  const asPart = (name: string) => (row: z.output<typeof ListedEmployee>) => ({
    ...row,
    row_cursor: [name, ...row.row_cursor],
  })
  const best = part === 'rest' ? [] : await run(query, 'name', after, limit + 1, tx`and ${begins}`)
  const missing = limit + 1 - best.length
  const rest =
    missing > 0
      ? await run(query, 'name', part === 'rest' ? after : '', missing, tx`and not (${begins})`)
      : []
  return [...best.map(asPart('best')), ...rest.map(asPart('rest'))]
}

/** Sorts after all other characters: a text between 'an' and 'an\uffff' begins with 'an'. */
const last_letter = '\uffff'

/** Whether the counts that are kept promise a full page soon: reading in the order of the list is then cheaper than sorting. */
async function areMany(
  tx: Tx,
  company_id: string,
  { status, department, group, sort }: EmployeeListRequest,
): Promise<boolean> {
  // Everybody sorted by department is read in order: with old statistics the planner would sort them all.
  if (!status && !department && !group) return sort?.endsWith('department') === true
  const [by_status, by_department] = await Promise.all([
    status ? countOf(tx, company_id, status) : Infinity,
    department ? countIn(tx, company_id, department) : Infinity,
  ])
  return Math.min(by_status, by_department, group?.people ?? Infinity) > counted_max
}

const countOf = async (tx: Tx, company_id: string, status: keyof typeof kept_as) =>
  (await headcount(tx, company_id))[kept_as[status]]
const kept_as = {
  active: 'active',
  pending: 'pending',
  suspended: 'suspended',
  left: 'leavers',
} as const

async function countIn(tx: Tx, company_id: string, department: string): Promise<number> {
  const [kept] = await tx<{ people: number }[]>`
    select people from departments where company_id = ${company_id} and department = ${department}`
  return kept?.people ?? 0
}

/** The kept counts if the filters allow it; else counted, as far as that is cheap. */
async function countEmployees(
  tx: Tx,
  company_id: string,
  input: EmployeeListFilter,
  match: SearchMatch,
): Promise<number | null> {
  const { status, department, group } = input
  const searches = match.patterns.length > 0
  if (searches && !match.ids) return null
  if (!searches && !department && !group) {
    return status ? countOf(tx, company_id, status) : (await headcount(tx, company_id)).total
  }
  if (!searches && !status && !group) return countIn(tx, company_id, department ?? '')
  if (!searches && !status && !department && group) return group.people
  const [counted] = await tx<[{ count: number }]>`
    select count(*) as count from (select from profiles p
      where ${conditionOf(tx, company_id, input, match)} limit ${counted_max + 1}) few`
  return counted.count > counted_max ? null : counted.count
}

export const headcount = (tx: Tx, company_id: string) =>
  row(
    employees.summary.output,
    tx`select coalesce(h.pending + h.active + h.suspended + h.leavers, 0) as total,
        coalesce(h.active, 0) as active, coalesce(h.pending, 0) as pending,
        coalesce(h.suspended, 0) as suspended, coalesce(h.leavers, 0) as leavers,
        coalesce(h.requested, 0) as requested,
        (select d.employees from headcount_days d where d.company_id = c.id
          and d.day <= company_today(c.id) - ${trend_days}::int order by d.day desc limit 1) as total_before
      from companies c left join headcounts h on h.company_id = c.id where c.id = ${company_id}`,
  )

/** The selected people, or all whom the filters leave: one more than an act takes shows that there are too many. */
export async function chosenPeople(
  tx: OwnTx,
  company_id: string,
  chosen: Omit<EmployeeListFilter, 'sort' | 'group'>,
  limit: number,
) {
  const filter = await withGroupScope(tx, company_id, chosen)
  const match = await resolveSearch(tx, filter.search, company_id)
  return rows(
    Employee.pick({ id: true, full_name: true, email: true }),
    tx`select p.id, p.full_name, p.email from profiles p
      where ${conditionOf(tx, company_id, filter, match)} order by p.sort_name, p.id limit ${limit + 1}`,
  )
}

/** All people, page by page with a cursor. */
export async function* everyEmployee(
  tx: OwnTx,
  company_id: string,
  input: z.output<typeof EmployeeFilter>,
) {
  const filter = await withGroupScope(tx, company_id, input)
  const match = await resolveSearch(tx, filter.search, company_id)
  const { sort = 'name' } = filter
  const order = orders[sort.replace('-', '')] ?? []
  const { order_by } = keyset(tx, order, sort.startsWith('-'), undefined)
  const cursor = tx`select ${employeeColumns(tx)}, c.currency, b.* from profiles p
    join companies c on c.id = p.company_id
    cross join lateral (select ${parts(
      ['prevention', 'treatment', 'solidarity'].map(
        (category, at) => tx`${at ? tx`,` : tx``} coalesce(sum(a.balance_cents)
          filter (where a.category = ${category}), 0)::bigint as ${tx(`${category}_cents`)}`,
      ),
    )} from accounts a where a.company_id = ${company_id} and a.person_id = p.id
      and a.plan_year = (select current_plan_year(${company_id})) and a.kind = 'available') b
    where ${conditionOf(tx, company_id, filter, match)} order by ${order_by}`.cursor(2000)
  for await (const batch of cursor) yield ExportedEmployee.array().parse(batch)
}
