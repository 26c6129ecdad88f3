// People of a company with some rights and no others, as if they had had them for years.
import type { CompanyRight } from '#users/rights.contract.ts'
import type { Company, Person } from './people.ts'
import type { Scene } from './scene.ts'

let count = 0

/** Somebody who works for the company by these rights and is none of its employees. */
export async function withRights(
  scene: Scene,
  company: Company,
  ...kinds: CompanyRight[]
): Promise<Person> {
  const person = await company.hire(`${kinds[0]}${(count += 1)}`)
  await scene.sql`update profiles set role = 'company_admin' where id = ${person.id}`
  await scene.sql`delete from company_rights where person_id = ${person.id}`
  await giveRights(scene, company, person, ...kinds)
  return person
}

/** Gives rights to one of the company's employees. */
export async function giveRights(
  { sql }: Scene,
  { id: company_id }: Company,
  { id }: { id: string },
  ...kinds: CompanyRight[]
) {
  await sql`
    insert into company_rights (company_id, person_id, kind, given_at, begins_at, confirmed_at)
      select ${company_id}, ${id}, k, now() - interval '2 years', now() - interval '2 years',
          now() - interval '2 years' from unnest(${kinds}::text[]) k`
}

export const ownRights = async ({ api }: Pick<Person, 'api'>) => (await api.users.me({})).rights

/** Their rights are a day old. */
export async function aDayLater({ sql }: Scene, { id }: { id: string }) {
  await sql`update company_rights set given_at = given_at - interval '25 hours',
    begins_at = begins_at - interval '25 hours' where person_id = ${id}`
  await sql`update profiles set confirmed_at = confirmed_at - interval '25 hours' where id = ${id}`
}

/** An owner confirms whatever waits of somebody's rights. */
export async function confirmRights(scene: Scene, owner: Person, { id }: { id: string }) {
  await scene.confirm(owner)
  const { holders } = await owner.api.rights.list({})
  const theirs = holders.find((holder) => holder.id === id)?.rights ?? []
  const ids = theirs.filter(({ waits }) => waits).map((right) => right.id)
  if (ids.length > 0) await owner.api.rights.confirm({ ids })
}
