// A company that pays: two admins, an account to pay from, and people with accounts of their own.
import { daysAfter } from '#lib/days.ts'
import { reverse } from './claims.ts'
import { fundedCompany, type FundedCompany } from './company.ts'
import type { Person } from './people.ts'
import type { Scene } from './scene.ts'

export const iban = 'DE89370400440532013000'
export const another_iban = 'HR1210010051863000160'

/** A company with two admins, unless told otherwise. */
export async function payingCompany(scene: Scene, { lone = false } = {}) {
  const acme = await fundedCompany(scene)
  const hr = acme.company.admin
  const second = lone ? hr : await acme.admin('Second')
  await scene.confirm(hr)
  await hr.api.payouts.set_company_account({ holder: 'Acme d.o.o.', iban: another_iban })
  /** Makes a payout of all that is approved, to be paid today by default. */
  const make = (in_days = 0) =>
    hr.api.payouts.make({ cut_off_on: acme.today, pay_on: daysAfter(acme.today, in_days) })
  return { acme, hr, second, make }
}

export async function payee(
  acme: FundedCompany,
  name?: string,
  holder = 'Ana Özil-Đurić',
): Promise<Person> {
  const person = await acme.hire(name)
  await person.api.payouts.set_my_account({ holder, iban: 'DE89 3704 0044 0532 0130 00' })
  return person
}

/** Owes a person 10.00: withheld for a claim whose own payment then came back. */
export async function owedBack(paying: Awaited<ReturnType<typeof payingCompany>>, person: Person) {
  const { acme, hr, second, make } = paying
  const forged = await acme.agreeing(person, { amount_cents: 1000 })
  const { id } = await second.api.payouts.release(await make())
  await reverse(hr, forged)
  await acme.agreeing(person, { amount_cents: 1500 })
  await second.api.payouts.release(await make())
  await hr.api.payouts.return_item({ id, person_id: person.id, reason: 'Account closed' })
}

export const payments = async (person: Person) =>
  (await person.api.claims.mine({})).claims.map(({ payment }) => payment)

/** The policy lets accounts wait for so many days. */
export async function setAccountWait(hr: Person, account_wait_days: number) {
  const { api } = hr
  const {
    since: _,
    by_name: __,
    note: ___,
    currency: _c,
    ...terms
  } = await api.policies.current({})
  await api.policies.change({ ...terms, account_wait_days })
}

/** Gives the company an earlier payout: from the second one on approved claims may wait for a week. */
export const paidBefore = ({ scene, id, company, today }: FundedCompany) =>
  scene.sql`insert into pay_runs (company_id, status, cut_off_on, pay_on, made_by, released_by)
    values (${id}, 'released', ${today}, ${today}, ${company.admin.id}, ${company.admin.id})`
