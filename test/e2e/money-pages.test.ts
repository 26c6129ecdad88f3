// The pages of money, in every dress, for companies of all sizes.
import { before, describe, test } from 'node:test'
import { sealAll } from '#funds/jobs.server.ts'
import { fund, moveFunds, spendFunds, spread } from '../world/money.ts'
import type { Person } from '../world/people.ts'
import { fits } from './axe.ts'
import { openedStage, picture, untilSettled, wide } from './stage.ts'

const stage = openedStage({ worker: true })
let provider: Person
before(async () => {
  provider = await stage.scene.superAdmin()
})

describe('in every dress', () => {
  const names = [
    'Aurora',
    'Borealis Logistics and Cold Chain Services of Northern Europe',
    'Cobalt',
    'Dune',
  ]
  let emails: Record<string, string>
  before(async () => {
    emails = await manyCompanies(names)
  })

  for (const { width, colorScheme } of [
    { width: 1440, colorScheme: 'light' },
    { width: 1440, colorScheme: 'dark' },
    { width: 360, colorScheme: 'light' },
  ] as const) {
    test(`${width} wide, ${colorScheme}`, async () => {
      for (const [who, paths] of Object.entries(places)) {
        const page = await stage.open({
          ...wide,
          viewport: { width, height: 900 },
          colorScheme,
        })
        await stage.signIn(page, emails[who]!)
        for (const path of paths) {
          await page.goto(path.replace(':id', emails['company_id']!))
          await page.locator('h1').first().waitFor()
          await untilSettled(page)
          await picture(page, `money-${nameOf(path)}-${width}-${colorScheme}`)
          await fits(page, path)
        }
        await page.context().close()
      }
    })
  }
})

const nameOf = (path: string) => path.slice('/dashboard/'.length).replace('/:id', '-one')

const places: Record<string, string[]> = {
  provider: ['/dashboard/companies', '/dashboard/companies/:id', '/dashboard/users'],
  hr: ['/dashboard/company-admin', '/dashboard/employees', '/dashboard/funds'],
  employee: ['/dashboard/employee'],
}

/** Companies of all sizes and uses; the second has a year of claims. */
async function manyCompanies(names: string[]): Promise<Record<string, string>> {
  const { scene } = stage
  const found: Record<string, string> = { provider: provider.email }
  for (const [at, name] of names.entries()) {
    const made = await scene.company({ name })
    await scene.sql`update companies set currency = ${['EUR', 'EUR', 'CHF', 'JPY'][at] ?? 'EUR'}
      where id = ${made.id}`
    const pools = spread(200_000, 700_000, 100_000)
    const plan_year = await fund(provider, made, pools, { amount_cents: 1_200_000 })
    for (let n = 0; n < 4; n += 1) {
      const person = await made.hire(['Ana', 'Maximiliana', 'Noa', 'Jo'][n])
      await spend(made.id, plan_year, person.id, at * 15_000 + n * 4_000)
      if (at !== 1) continue
      found['employee'] = person.email
      found['company_id'] = made.id
      found['hr'] = made.admin.email
    }
  }
  await scene.sql`update profiles set phone = '+385 91 234 5678', department = 'People and Culture',
    full_name = case when email like 'max%' then 'Maximiliana von Hohenberg-Sonderburg-Glücksburg'
      else full_name || ' Kowalska' end
    where company_id = ${found['company_id']!} and role = 'employee'`
  await sealAll(scene.sql)
  await scene.sql`update daily_totals set day = day - 31 where kind in ('payable', 'paid')
    and category = 'prevention'`
  return found
}

async function spend(company: string, year: string, person: string, cents: number) {
  const { sql } = stage.scene
  if (cents === 0) return
  for (const [category, part] of [
    ['treatment', cents],
    ['prevention', Math.round(cents / 4)],
    ['solidarity', Math.round(cents / 10)],
  ] as const) {
    const of = { company, year, person, category }
    const cause = `claim ${person} ${category}`
    await spendFunds(sql, of, [part, Math.round(part * 0.8)], cause)
  }
  const treatment = { company, year, person, category: 'treatment' }
  await moveFunds(sql, 'hold', treatment, 900, `claim ${person} 2`)
}
