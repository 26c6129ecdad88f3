// Pay runs: what is due, made and released by two, and the files they are paid with.
import { z } from 'zod'
import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { keyset, patternOf, searchWords, withCursor, type KeysetOrder } from '#lib/keyset.server.ts'
import { decimal } from '#lib/money.ts'
import { pageOf } from '#lib/cursor.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { allowLongStatements } from '#lib/tuning.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { bankFile, isErased } from './bank-file.ts'
import {
  BankAccount,
  ListedPayRun,
  Overpayment,
  MyPayouts,
  PayItem,
  payouts,
  PayRun,
} from './payouts.contract.ts'

const page_size = 50
const ListedOverpayment = withCursor(Overpayment)
const largest_first: KeysetOrder = [
  ['d.cents', 'bigint'],
  ['d.person_id', 'uuid'],
]

export const payoutsHandlers: Handlers<typeof payouts> = {
  preview: ({ tx, actor, input: { cut_off_on } }) =>
    row(
      payouts.preview.output,
      tx`select p.*, d.cut_off_on::text, o.currency, company_today(o.id)::text as today
        from companies o
        cross join lateral (select coalesce(${cut_off_on ?? null}::date, company_today(o.id))
          as cut_off_on) d
        cross join lateral preview_pay_run(d.cut_off_on) p
        where o.id = ${actor.company_id}`,
    ),

  runs: async ({ tx, actor, input: { after } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, newest_first, true, after)
    const found = await rows(
      ListedRun,
      tx`select ${runColumns(tx, actor, ['release', 'cancel'])}, ${row_cursor} as row_cursor
        ${source(tx)}
        where r.company_id = ${actor.company_id} ${after_cursor}
        order by ${order_by} limit ${page_size + 1}`,
    )
    const { page, next } = pageOf(found, page_size)
    return { runs: page, next }
  },

  find: ({ tx, actor, input: { id } }) => findRun(tx, actor, id),

  items: async ({ tx, actor, input: { id, after, show, search } }) => {
    await findRun(tx, actor, id)
    const { after_cursor, order_by, row_cursor } = keyset(tx, by_name, false, after)
    const found = await rows(
      ListedItem,
      tx`select i.person_id, k.person_name, k.left_on, i.claims_cents, i.withheld_cents, i.paid_cents,
          a.iban_end, a.changed_at as account_changed_at, a.shared as account_shared,
          a.failed as account_failed, case r.status when 'released' then i.by_bank end as by_bank,
          i.returned_at, i.returned_because,
          item_refusals(i.company_id, i.run_id, i.person_id) as refusals,
          (select coalesce(json_agg(c.claim_id order by c.claim_id), '[]') from pay_claims c
            where c.company_id = i.company_id and c.run_id = i.run_id and c.person_id = i.person_id)
            as claim_ids, k.row_cursor
        from (select p.id, p.sort_name, p.full_name as person_name, p.left_on, ${row_cursor} as row_cursor
            from pay_items i join profiles p on p.company_id = i.company_id and p.id = i.person_id
            where i.company_id = ${actor.company_id} and i.run_id = ${id} ${after_cursor}
              and without_accents(p.full_name || ' ' || p.email)
                like all (${searchWords(search).map(patternOf)})
              ${
                show === 'all'
                  ? tx``
                  : tx`and i.person_id in (
                select person_id from run_accounts(${id}) where to_check)`
              }
            order by ${order_by} limit ${page_size + 1}) k
        join pay_items i on i.company_id = ${actor.company_id} and i.run_id = ${id}
          and i.person_id = k.id
        join pay_runs r on r.company_id = i.company_id and r.id = i.run_id
        cross join lateral pay_account(i.run_id, i.person_id) a
        order by k.sort_name, k.id`,
    )
    const { page, next } = pageOf(found, page_size)
    return { items: page, next }
  },

  make: async ({ tx, actor, input: { cut_off_on, pay_on } }) => {
    await allowLongStatements(tx)
    const making = tx<[{ id: number }]>`select make_pay_run(${cut_off_on}, ${pay_on}) as id`
    const [made] = await besideFields({ pay_day_past: 'pay_on' }, making)
    return findRun(tx, actor, made.id)
  },

  release: async ({ tx, actor, input: { id, version } }) => {
    await allowLongStatements(tx)
    await tx`select release_pay_run(${id}, ${version})`
    return findRun(tx, actor, id)
  },

  cancel: async ({ tx, actor, input: { id, version } }) => {
    await allowLongStatements(tx)
    await tx`select cancel_pay_run(${id}, ${version})`
    return findRun(tx, actor, id)
  },

  return_item: async ({ tx, actor, input: { id, person_id, reason } }) => {
    await tx`select return_payment_of(${id}, ${person_id}, ${reason})`
    return findRun(tx, actor, id)
  },

  payroll_file: async ({ tx, actor, input: { id } }) => {
    const [run, items] = await Promise.all([findRun(tx, actor, id), fileOf(tx, id)])
    const sum = (cents: number) => decimal(cents, run.currency)
    const lines = items.map((item) => [
      item.person_name,
      item.email,
      item.department,
      item.claim_ids.map((claim) => `#${claim}`).join(' '),
      sum(item.claims_cents),
      sum(item.withheld_cents),
      sum(item.returned ? 0 : item.paid_cents), // the next payout pays it
      run.currency,
      item.by_bank ? 'bank file' : 'payroll',
      run.pay_on,
      item.returned ? 'returned' : isErased(item) ? 'erased: no longer in the bank file' : '',
    ])
    return {
      name: `payout-${id}-payroll.csv`,
      type: 'text/csv; charset=utf-8',
      body: byte_order_mark + [payroll_columns, ...lines].map((cells) => csvLine(cells)).join(''),
    }
  },

  bank_file: async ({ tx, actor, input: { id } }) => {
    const { released_at, pay_on, currency, refusals } = await findRun(tx, actor, id)
    if (refusals.bank_file) throw new Problem(refusals.bank_file)
    const [items, debtor] = await Promise.all([
      fileOf(tx, id),
      row(
        BankAccount,
        tx`select debtor_holder as holder, debtor_iban as iban from pay_runs
          where company_id = ${actor.company_id} and id = ${id}`,
      ),
    ])
    const payments = items.flatMap(({ person_id, holder, iban, paid_cents, claim_ids, returned }) =>
      holder && iban && paid_cents > 0 && !returned
        ? [{ person_id, holder, iban, cents: paid_cents, claim_ids }]
        : [],
    )
    return {
      name: `payout-${id}-pain.001.xml`,
      type: 'application/xml',
      body: bankFile({
        run_id: id,
        released_at: released_at ?? '',
        pay_on,
        currency,
        debtor,
        payments,
      }),
    }
  },

  company_account: async ({ tx, actor }) => {
    const [account] = await rows(BankAccount, companyAccount(tx, actor))
    return account ?? null
  },

  set_company_account: async ({ tx, actor, input: { holder, iban } }) => {
    await tx`select set_company_account(${holder}, ${iban})`
    return row(BankAccount, companyAccount(tx, actor))
  },

  overpayments: async ({ tx, actor, input: { person_id, after, limit } }) => {
    const { after_cursor, order_by, row_cursor } = keyset(tx, largest_first, true, after)
    const found = await rows(
      ListedOverpayment,
      tx`select d.*, ${row_cursor} as row_cursor, json_build_object('settle_overpayment',
          own_money_refusal('finance', d.person_id, ${actor.id})) as refusals
        from overpayments() d
        where ${person_id ? tx`d.person_id = ${person_id}` : tx`true`} ${after_cursor}
        order by ${order_by} limit ${limit + 1}`,
    )
    const { page, next } = pageOf(found, limit)
    return { people: page, next, currency: actor.currency ?? '' }
  },

  settle_overpayment: async ({ tx, input: { person_id, cents, how, reason } }) => {
    await tx`select settle_overpayment(${person_id}, ${cents}, ${how}, ${reason})`
    return { person_id }
  },

  my_next: ({ tx, actor }) =>
    row(
      MyPayouts,
      tx`select c.currency, p.* from companies c cross join lateral my_payouts() p
        where c.id = ${actor.company_id}`,
    ),

  my_overpayment: ({ tx, actor }) =>
    row(
      payouts.my_overpayment.output,
      tx`select my_overpayment() as cents, ${actor.currency}::text as currency`,
    ),

  my_blocks: ({ tx }) => row(payouts.my_blocks.output, tx`select * from my_payment_blocks()`),

  my_account: async ({ tx }) => {
    const [account] = await rows(MyAccount, ownAccount(tx))
    return account ?? null
  },

  set_my_account: async ({ tx, input: { holder, iban } }) => {
    await tx`select set_my_account(${holder}, ${iban})`
    return row(MyAccount, ownAccount(tx))
  },
}

const newest_first: KeysetOrder = [['r.id', 'bigint']]
const by_name: KeysetOrder = [
  ['p.sort_name', 'text'],
  ['p.id', 'uuid'],
]
const MyAccount = payouts.set_my_account.output
const payroll_columns = [
  'Name',
  'Email',
  'Department',
  'Claims',
  'Approved',
  'Withheld',
  'To pay',
  'Currency',
  'Paid by',
  'Pay day',
  'Note',
]

const ListedRun = withCursor(ListedPayRun)
const ListedItem = withCursor(PayItem)

const runColumns = (tx: Tx, { id, currency }: Actor, acts_shown: string[]) => tx`
  r.id, r.version, r.status, r.cut_off_on, pays_on(r.company_id, r.status, r.pay_on) as pay_on,
  r.made_at, n.made_by_name as made_by,
  r.made_by = ${id} as made_by_you, r.released_at,
  n.released_by_name as released_by, r.claims, r.people, r.claims_cents, r.withheld_cents, r.paid_cents,
  case r.status when 'made' then (select count(*) from run_accounts(r.id) where to_check) else 0 end
    as accounts_to_check,
  (select coalesce(sum(i.paid_cents), 0)::bigint from pay_items i
    where i.company_id = r.company_id and i.run_id = r.id and i.returned_at is not null)
    as returned_cents,
  (select count(*)::int from pay_items i
    where i.company_id = r.company_id and i.run_id = r.id and i.paid_cents > 0) as paid_people,
  case r.status when 'made' then (select count(*) from run_accounts(r.id) where missing) else r.without_account end
    as without_account, right(r.debtor_iban, 4) as paid_from_end,
  ${currency}::text as currency,
  (select json_object_agg(act, run_refusal(act, r, ${id})) from unnest(${acts_shown}::text[]) act)
    as refusals,
  case r.status when 'made' then run_releasers(r.company_id, r.id) else '{}' end as releasers`

const source = (tx: Tx) => tx`from pay_runs r cross join lateral pay_run_people(r.id) n`

const findRun = (tx: Tx, actor: Actor, id: number) =>
  row(
    PayRun,
    tx`select ${runColumns(tx, actor, ['release', 'cancel', 'bank_file'])},
        (select json_build_object('payments', count(*), 'cents', coalesce(sum(i.paid_cents), 0))
          from pay_items i where i.company_id = r.company_id and i.run_id = r.id and i.by_bank
            and i.iban_end is null and i.paid_cents > 0 and i.returned_at is null) as erased
        ${source(tx)}
      where r.company_id = ${actor.company_id} and r.id = ${id}`,
  )

const InFile = z.object({
  person_id: z.uuid(),
  person_name: z.string(),
  email: z.string(),
  department: z.string().nullable(),
  claim_ids: z.array(z.coerce.number()),
  claims_cents: z.int(),
  withheld_cents: z.int(),
  paid_cents: z.int(),
  holder: z.string().nullable(),
  iban: z.string().nullable(),
  by_bank: z.boolean(),
  returned: z.boolean(),
})

const fileOf = (tx: Tx, id: number) => rows(InFile, tx`select * from pay_run_file(${id})`)

const companyAccount = (tx: Tx, { company_id }: Actor) => tx`
  select holder, iban from company_accounts where company_id = ${company_id}`
const ownAccount = (tx: Tx) => tx`select * from my_bank_account()`
