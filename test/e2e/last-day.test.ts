// A leaver's own pages, around their last day and after it.
import { daysAfter } from '#lib/days.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fundedCompany, todayOf } from '../world/company.ts'
import { openedStage, showsText } from './stage.ts'

describe('a leaver', () => {
  const stage = openedStage()
  const leaves = ({ id }: { id: string }, left_on: string) =>
    stage.scene.sql`update profiles set left_on = ${left_on} where id = ${id}`

  test('is there until the day ends at the company, wherever the device is', async () => {
    const acme = await fundedCompany(stage.scene)
    const ana = await acme.hire('Ana')
    await stage.scene.sql`update companies set time_zone = 'Pacific/Niue' where id = ${acme.id}`
    await leaves(ana, await todayOf(stage.scene, acme))
    // 25 hours lie between them: it is never the same day in both.
    const far_east = { timezoneId: 'Pacific/Kiritimati' }
    const page = await stage.enter(ana, '/dashboard/employee', far_east)
    await showsText(page, 'Your last day at the company is')
    await page.getByRole('button', { name: 'Book Health Check' }).waitFor()
    await page.goto('/dashboard/health-checks')
    await showsText(page, 'Times until your last day at the company')
  })

  test('has nobody covered any more, and reads why', async () => {
    const acme = await fundedCompany(stage.scene)
    const ben = await acme.hire('Ben')
    const child = { full_name: 'Mia', relationship: 'child', born_on: '2019-04-12' } as const
    await ben.api.dependents.add({ ...child, covered_from: daysAfter(acme.today, -20) })
    await leaves(ben, daysAfter(acme.today, -5))
    const page = await stage.enter(ben, '/dashboard/employee')
    await showsText(page, 'Nobody is covered at the moment')
    await showsText(page, 'Cover ended with your last day at the company.')
    assert.equal(await page.getByRole('button', { name: 'Add', exact: true }).count(), 0)
    await page.goto('/dashboard/dependents?new')
    await page.getByRole('row', { name: /Mia/ }).getByText('Ended').waitFor()
    await showsText(page, 'Cover ended with your last day at the company.')
    await showsText(page, 'Nobody can be added any more')
    assert.equal(await page.getByRole('dialog').count(), 0, 'nor by the address')
    assert.equal(await page.getByRole('button', { name: /^Add/ }).count(), 0)
    assert.equal(await page.getByText(/your spouse, children and parents/).count(), 0)
    await page.getByRole('button', { name: 'Mia' }).click()
    await page.getByRole('dialog').getByText('your last day at the company').waitFor()
  })

  test('is said by HR’s list to leave today on the last day, and to have left from the next', async () => {
    const acme = await fundedCompany(stage.scene)
    await acme.hire('Ana')
    const [ben, cem] = [await acme.hire('Ben'), await acme.hire('Cem')]
    await leaves(ben, acme.today)
    await leaves(cem, daysAfter(acme.today, -1))
    const page = await stage.enter(acme.company.admin, '/dashboard/employees')
    const row = (name: string) => page.getByRole('row', { name })
    await row('Cem').getByText('Left', { exact: true }).waitFor()
    await row('Ben').getByText('Leaves today', { exact: true }).waitFor()
    await page.getByText('everybody has an account').waitFor()
  })
})
