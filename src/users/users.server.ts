import { z } from 'zod'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { start } from '#lib/transactions.server.ts'
import {
  keyset,
  matchingWords,
  patternOf,
  searchWords,
  withCursor,
  type KeysetOrder,
  type SearchMatch,
} from '#lib/keyset.server.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { planForValues, preferIndexOrder, type OwnTx } from '#lib/tuning.server.ts'
import { Problem } from '#problems.ts'
import {
  Me,
  User,
  UserFound,
  type Role,
  type Setup,
  type UserSearch,
  users,
} from './users.contract.ts'

const ListedUser = withCursor(User)

export type SetupActs = {
  isOpen: (token: string) => Promise<boolean>
  complete: (setup: z.output<typeof Setup>) => Promise<void>
}

export const usersHandlers = (setup: SetupActs): Handlers<typeof users> => ({
  ...acts,

  me: ({ tx, actor }) =>
    row(
      Me,
      tx`
        select p.id, p.email, p.full_name, ${actor.role}::text as role, p.status,
          ${actor.has_own}::boolean as has_own,
          ${actor.rights}::text[] as rights,
          p.has_rights and exists (select from company_rights r
            where r.company_id = p.company_id and r.person_id = p.id
              and has_not_ended(r.ended_at, r.ends_at)
              and (r.confirmed_at is null or r.begins_at > now())) as rights_wait,
          can_use_sso() as by_provider,
          p.role = 'company_admin' and p.status = 'active' and not ${actor.has_own}::boolean
            and ${actor.role}::text = 'employee' as only_waits,
          ${actor.waiting_for}::text as waiting_for,
          case when p.status = 'pending' then p.requested_company end as requested_company,
          case when p.status = 'pending' then company_of_address() end as company_of_address,
          case when c.id is not null then json_build_object('id', c.id, 'name', c.name,
            'status', c.status, 'currency', c.currency, 'time_zone', c.time_zone, 'refusals',
            json_build_object('connect', connecting_refusal(c.status))) end as company
        from profiles p left join companies c on c.id = p.company_id
        where p.id = ${actor.id}`,
    ),

  change_request: async ({ tx, input: { role, company_name, elsewhere } }) => {
    await tx`select change_request(${role}, ${company_name}, ${elsewhere})`
    return {}
  },

  setup_open: async ({ input: { token } }) => ({ open: await setup.isOpen(token) }),

  setup: async ({ input }) => {
    await setup.complete(input)
    return { email: input.email }
  },
})

const acts: Omit<Handlers<typeof users>, 'me' | 'change_request' | 'setup' | 'setup_open'> = {
  list: ({ tx, input }) => listUsers(tx, input),
  summary: ({ tx }) => summary(tx),
  find: ({ tx, input: { id } }) => findUser(tx, id),

  add: async ({ tx, input: { full_name, email, role, company_id } }) => {
    const person = { full_name, email, role, company_id: placeOf(role, company_id) }
    const [made] = await besideFields(
      { already_here: 'email', email_taken: 'email' },
      tx<[{ person_id: string }]>`select person_id from add_person(${tx.json(person)})`,
    )
    return findUser(tx, made.person_id)
  },

  approve: async ({ tx, input: { id } }) => {
    await tx`select approve_person(${id})`
    return findUser(tx, id)
  },

  decline: async ({ tx, input: { id } }) => {
    await tx`select decline_person(${id})`
    return findUser(tx, id)
  },

  suspend: async ({ tx, input: { id } }) => {
    await tx`select suspend_person(${id})`
    return findUser(tx, id)
  },

  reactivate: async ({ tx, input: { id } }) => {
    await tx`select reactivate_person(${id})`
    return findUser(tx, id)
  },

  change_role: async ({ tx, input: { id, role, company_id } }) => {
    await tx`select change_role(${id}, ${role}, ${placeOf(role, company_id)})`
    return findUser(tx, id)
  },

  resend: async ({ tx, input: { id } }) => {
    await tx`select invite_again(${id})`
    return findUser(tx, id)
  },

  remove: async ({ tx, input: { id } }) => {
    await tx`select remove_person(${id})`
    return { id }
  },

  reset_two_step: async ({ tx, input: { id } }) => {
    await tx`select reset_two_step(${id})`
    return findUser(tx, id)
  },
}

function placeOf(role: Role, company_id: string | undefined): string | null {
  if (role === 'super_admin') return null
  if (!company_id) throw Problem.at('company_id', 'company_needed')
  return company_id
}

const userColumns = (tx: Tx) => tx`
  p.id, p.full_name, p.email, p.role, p.status, p.account_state, p.company_id, c.name as company_name,
  p.confirmed_at, p.invited_at, p.erased_at, p.joined_on, p.created_at`

const findUser = (tx: Tx, id: string) =>
  row(
    UserFound,
    tx`select ${userColumns(tx)}, p.requested_company, p.suspended_by,
        exists (select from has_two_step(array[p.id])) as two_step,
        person_refusals(p, actor_id()) as refusals,
        is_last_owner(p.company_id, p.id) as runs_alone
      from profiles p left join companies c on c.id = p.company_id where p.id = ${id}`,
  )

const counted_max = 1000

const orders: Record<string, KeysetOrder> = {
  name: [
    ['p.sort_name', 'text'],
    ['p.id', 'uuid'],
  ],
  joined: [
    ['p.created_at', 'timestamptz'],
    ['p.id', 'uuid'],
  ],
}

type UserListRequest = z.output<typeof UserSearch>

async function listUsers(tx: OwnTx, input: UserListRequest) {
  void start(planForValues(tx))
  const { sort, after, limit } = input
  const match = await resolveSearch(tx, input)
  const { after_cursor, order_by, row_cursor } = keyset(
    tx,
    orders[sort.replace('-', '')] ?? [],
    sort.startsWith('-'),
    after,
  )
  const [found, total] = await Promise.all([
    rows(
      ListedUser,
      tx`
        with page as (
          select p.*, ${row_cursor} as row_cursor
          from profiles p
          where ${userCondition(tx, input, match)} ${after_cursor}
          order by ${order_by} limit ${limit + 1}),
        secured as materialized (
          select has_two_step(array(select id from page)) as id)
        select ${userColumns(tx)}, p.row_cursor, p.id in (select id from secured) as two_step
        from page p left join companies c on c.id = p.company_id
        order by ${order_by}`,
    ),
    countUsers(tx, input, match),
  ])
  const { page, next } = pageOf(found, limit)
  return { users: page, next, total }
}

async function resolveSearch(
  tx: OwnTx,
  { search, company }: UserListRequest,
): Promise<SearchMatch> {
  const words = searchWords(search)
  if (words.length === 0) return { ids: null, patterns: [] }
  const [found] = await tx<[{ ids: string[] | null }]>`
    select to_json(find_people(${words}, ${company ?? null}, ${counted_max})) as ids`
  if (!found.ids) await preferIndexOrder(tx)
  return { ids: found.ids, patterns: words.map(patternOf) }
}

// An erased admin is stored as suspended, but only the list of everybody shows them. The condition of a partial index is repeated
// beside the filter, so that the planner can use the index.
function userCondition(tx: Tx, { role, status, company }: UserListRequest, match: SearchMatch) {
  const as_admins = status === 'suspended' || (role && role !== 'employee')
  return tx`true ${as_admins ? tx`and (p.erased_at is null or p.role = 'employee')` : tx``}
    ${role ? tx`and p.role = ${role}` : tx``}
    ${role && role !== 'employee' ? tx`and p.role <> 'employee'` : tx``}
    ${status ? tx`and p.status = ${status}` : tx``}
    ${status && status !== 'active' ? tx`and p.status <> 'active'` : tx``}
    ${company ? tx`and p.company_id = ${company}` : tx``}
    ${match.ids ? tx`and p.id = any (${match.ids}::uuid[])` : tx``} ${matchingWords(tx, match)}`
}

async function countUsers(
  tx: Tx,
  input: UserListRequest,
  match: SearchMatch,
): Promise<number | null> {
  const { role, status, company } = input
  const searches = match.patterns.length > 0
  if (searches && !match.ids) return null
  if (!searches && !role && !status && !company) return (await summary(tx)).total
  const [counted] = await tx<[{ count: number }]>`
    select count(*) as count from (select from profiles p where ${userCondition(tx, input, match)}
      limit ${counted_max + 1}) few`
  return counted.count > counted_max ? null : counted.count
}

const summary = (tx: Tx) =>
  row(
    users.summary.output,
    tx`
      with kept as (
        select coalesce(sum(requested + pending + admins_pending + supers_pending), 0)::int as pending,
          coalesce(sum(active + leavers + admins_active + supers_active), 0)::int as active,
          coalesce(sum(active + admins_active) filter (where company_id in (
            select id from companies where status = 'suspended')), 0)::int as shut_out,
          coalesce(sum(suspended + admins_suspended + supers_suspended), 0)::int as suspended,
          coalesce(sum(pending + active + suspended + leavers), 0)::int as employees,
          coalesce(sum(admins_pending + admins_active + admins_suspended), 0)::int as company_admins,
          coalesce(sum(supers_pending + supers_active + supers_suspended), 0)::int as super_admins
        from headcounts)
      select *, active + pending + suspended + (select count(*)::int from profiles p
          where p.role <> 'employee' and p.erased_at is not null) as total from kept`,
  )
