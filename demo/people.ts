// The demo world's people: one of each role, made by the product's own acts.
import { anonAndServiceKeys } from '#auth/secrets.server.ts'
import type { House } from '#house.server.ts'
import type { Config } from '#lib/config.server.ts'

const password = 'quiet-harbour-42'
const domain = 'aurora.example'
const provider = { full_name: 'Priya Raman', email: 'priya@healthfund.example' }
const admin = { full_name: 'Helena Brandt', email: `helena@${domain}` }
const employee = { full_name: 'Jonas Keller', email: `jonas@${domain}` }

/** A demo is for looking around: never in a database that somebody brought, unless they ask. */
export const wantsDemo = (config: Config) =>
  config.DEMO ? config.DEMO === 'on' : !config.DATABASE_URL

/** Fills an empty database once; answers what to print at every start. */
export async function fillDemo(house: House): Promise<string | undefined> {
  const setup = await house.setupLink()
  if (setup) await makePeople(house, new URL(setup).searchParams.get('token') ?? '')
  const found = await house.sql.owner`select from profiles where email = ${provider.email}`
  if (found.length === 0) return undefined
  return [
    'Demo logins, all with the password ' + password,
    `  Super Admin    ${provider.email}`,
    `  Company Admin  ${admin.email}`,
    `  Employee       ${employee.email}`,
  ].join('\n')
}

async function makePeople(house: House, token: string) {
  await house.completeSetup({ token, ...provider, password })
  const { service_key } = await anonAndServiceKeys(house.installation_key)
  const signUp = async (person: typeof admin, data: Record<string, string>) => {
    const answer = await house.app.request('/auth/v1/admin/users', {
      method: 'POST',
      headers: { authorization: `Bearer ${service_key}` },
      body: JSON.stringify({
        email: person.email,
        password,
        email_confirm: true,
        user_metadata: { full_name: person.full_name, ...data },
      }),
    })
    if (!answer.ok) throw new Error(`The demo could not be made: ${await answer.text()}`)
  }
  await signUp(admin, { role: 'company_admin', company_name: 'Aurora Robotics' })
  await house.sql.owner`
    update companies set status = 'active', domain_auto_register = true where domain = ${domain}`
  await signUp(employee, { role: 'employee' })
}
