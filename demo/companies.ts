// The twelve companies: who they are, what they give their people, and where they stand.
import { daysAfter, monthsBefore, workday } from './days.ts'
import { ibanOf } from './ibans.ts'
import { seededRandom } from './random.ts'
import type { DemoStage } from './stage.ts'

export type PlannedCompany = {
  name: string
  domain: string
  currency: string
  time_zone: string
  /** The country whose public holidays it keeps. */
  country: string
  region: string
  admins: { full_name: string; email: string }[]
  people: number
  departments: string[]
  phone: string
  /** The month of its plan year in which it is today. */
  month: number
  /** Grants, in whole units of its currency. */
  grants: [prevention: number, treatment: number, solidarity: number]
  ends: 'active' | 'pending' | 'suspended'
  /** Whether it was here the year before. */
  second_year: boolean
}

type CompanyStory = Omit<PlannedCompany, 'admins' | 'ends' | 'grants' | 'second_year'> &
  Partial<PlannedCompany> & { admin: string }

const company = ({ admin, ...company_facts }: CompanyStory): PlannedCompany => ({
  ends: 'active',
  second_year: false,
  grants: [200, 600, 100],
  admins: [
    { full_name: admin, email: `${admin.split(' ')[0]!.toLowerCase()}@${company_facts.domain}` },
  ],
  ...company_facts,
})

export const aurora = company({
  name: 'Aurora Robotics',
  domain: 'aurora.example',
  currency: 'EUR',
  time_zone: 'Europe/Berlin',
  country: 'DE',
  region: 'BE',
  admin: 'Helena Brandt',
  admins: [
    { full_name: 'Helena Brandt', email: 'helena@aurora.example' },
    { full_name: 'Matthias Vogt', email: 'matthias@aurora.example' },
  ],
  people: 300,
  departments: [
    'Engineering',
    'Production',
    'Sales',
    'Customer Care',
    'Finance',
    'People',
    'Legal',
  ],
  phone: '+49 30 5550',
  month: 11,
})

const small = ['Operations', 'Sales', 'Finance', 'People']

export const companies: PlannedCompany[] = [
  aurora,
  company({
    name: 'Brightwater Logistics',
    domain: 'brightwater.example',
    currency: 'EUR',
    time_zone: 'Europe/Amsterdam',
    country: 'NL',
    region: 'NH',
    admin: 'Anneke de Wit',
    people: 72,
    departments: ['Fleet', 'Warehouse', ...small],
    phone: '+31 20 5550',
    month: 9,
  }),
  company({
    name: 'Cedar & Stone Architects',
    domain: 'cedarstone.example',
    currency: 'GBP',
    time_zone: 'Europe/London',
    country: 'GB',
    region: 'ENG',
    admin: 'Imogen Clarke',
    people: 36,
    departments: ['Design', 'Planning', 'Site', 'Studio'],
    phone: '+44 20 5550',
    month: 8,
  }),
  company({
    name: 'Delta Foods',
    domain: 'deltafoods.example',
    currency: 'PLN',
    time_zone: 'Europe/Warsaw',
    country: 'PL',
    region: '',
    admin: 'Agnieszka Wrona',
    people: 96,
    departments: ['Kitchen', 'Quality', 'Logistics', ...small],
    phone: '+48 22 5550',
    month: 10,
    grants: [800, 2800, 400],
  }),
  company({
    name: 'Evergreen Media',
    domain: 'evergreen.example',
    currency: 'SEK',
    time_zone: 'Europe/Stockholm',
    country: 'SE',
    region: '',
    admin: 'Karin Sandell',
    people: 42,
    departments: ['Editorial', 'Film', 'Sound', ...small],
    phone: '+46 8 5550',
    month: 7,
    grants: [2000, 7000, 1000],
  }),
  company({
    name: 'Fjord Analytics',
    domain: 'fjord.example',
    currency: 'NOK',
    time_zone: 'Europe/Oslo',
    country: 'NO',
    region: '',
    admin: 'Sigrid Aune',
    people: 28,
    departments: ['Data', 'Consulting', 'Platform'],
    phone: '+47 22 5550',
    month: 5,
    grants: [2500, 8000, 1500],
  }),
  company({
    name: 'Grano Bakeries',
    domain: 'grano.example',
    currency: 'EUR',
    time_zone: 'Europe/Rome',
    country: 'IT',
    region: '62',
    admin: 'Lorenzo Testa',
    people: 54,
    departments: ['Bakery', 'Shops', 'Delivery', 'Office'],
    phone: '+39 06 5550',
    month: 6,
  }),
  company({
    name: 'Hochtal Precision',
    domain: 'hochtal.example',
    currency: 'CHF',
    time_zone: 'Europe/Zurich',
    country: 'CH',
    region: 'ZH',
    admin: 'Reto Zumstein',
    people: 46,
    departments: ['Machining', 'Assembly', 'Quality', ...small],
    phone: '+41 44 5550',
    month: 10,
    grants: [300, 900, 150],
  }),
  company({
    name: 'Indigo Software',
    domain: 'indigo.example',
    currency: 'USD',
    time_zone: 'America/New_York',
    country: 'US',
    region: 'NY',
    admin: 'Dana Whitfield',
    people: 48,
    departments: ['Product', 'Engineering', 'Support', 'Growth'],
    phone: '+1 212 5550',
    month: 4,
  }),
  company({
    name: 'Juniper Dental',
    domain: 'juniper.example',
    currency: 'CZK',
    time_zone: 'Europe/Prague',
    country: 'CZ',
    region: '',
    admin: 'Tereza Malá',
    people: 30,
    departments: ['Practice', 'Laboratory', 'Reception'],
    phone: '+420 2 5550',
    month: 2,
    second_year: true,
    grants: [5000, 16000, 2500],
  }),
  company({
    name: 'Kestrel Aviation',
    domain: 'kestrel.example',
    currency: 'EUR',
    time_zone: 'UTC',
    country: 'AT',
    region: '9',
    admin: 'Paul Winterhalter',
    people: 6,
    departments: ['Flight', 'Ground'],
    phone: '+43 1 5550',
    month: 1,
    ends: 'pending',
  }),
  company({
    name: 'Lumen Studio',
    domain: 'lumen.example',
    currency: 'EUR',
    time_zone: 'Europe/Lisbon',
    country: 'PT',
    region: '',
    admin: 'Joana Prates',
    people: 18,
    departments: ['Light', 'Stage', 'Office'],
    phone: '+351 21 5550',
    month: 8,
    ends: 'suspended',
  }),
]

/** So many days ago the provider suspended the one that is. */
export const suspended_days = 12

/** The first day of its plan year. */
export const yearOf = (of: PlannedCompany, today: string) => monthsBefore(today, of.month - 1)

/** When it came: some three weeks before its year begins. */
export const arrivalDay = (of: PlannedCompany, today: string) =>
  workday(daysAfter(yearOf(of, today), of.ends === 'pending' ? -9 : -21))

/** A company comes: added by the provider, or founded by its own HR and waiting to be activated. */
export async function foundCompany(
  stage: DemoStage,
  of: PlannedCompany,
  provider: string,
): Promise<string> {
  const [first, ...others] = of.admins
  if (!first) throw new Error(`${of.name} has no admin`)
  const by_provider = await stage.asConfirmed(provider)
  const { name, domain, currency, time_zone } = of
  if (of.ends === 'pending') {
    const data = { full_name: first.full_name, role: 'company_admin', company_name: name }
    await stage.signUp(first.email, data)
    const { companies: all } = await by_provider.companies.list({ search: name })
    return all[0]?.id ?? ''
  }
  const admin = { admin_email: first.email, admin_name: first.full_name }
  const { id } = await by_provider.companies.add({ name, domain, currency, time_zone, ...admin })
  for (const more of others)
    await by_provider.users.add({ ...more, role: 'company_admin', company_id: id })
  await stage.confirm(of.admins.map(({ email }) => email))
  const hr = await stage.as(first.email)
  await hr.settings.change_calendar({ country: of.country, region: of.region })
  const iban = ibanOf(of.country, seededRandom(of.people))
  // Its admin would be asked for a password that nobody has.
  if (iban)
    await stage.sql`
      insert into company_accounts (company_id, holder, iban) values (${id}, ${name}, ${iban})`
  return id
}
