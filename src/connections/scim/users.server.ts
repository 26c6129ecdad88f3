// A person as SCIM shows them, and the fields that a SCIM body sets.
import { z } from 'zod'
import { Department, PersonnelNumber, Phone } from '#employees/employees.contract.ts'
import { Email } from '#users/users.contract.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { Problem } from '#problems.ts'
import type { ScimColumns } from './matching.server.ts'
import { isObject, type Resource } from './patch.ts'
import { urn } from './schemas.ts'
import { Name as PersonName, OneLine } from '#lib/one-line.ts'

export type ScimPerson = z.output<typeof ScimPerson>
const ScimPerson = z.object({
  id: z.uuid(),
  role: z.string(),
  status: z.string(),
  user_name: z.string(),
  external_id: z.string().nullable(),
  full_name: z.string(),
  given_name: z.string().nullable(),
  family_name: z.string().nullable(),
  formatted: z.string().nullable(),
  email: z.string(),
  phone: z.string().nullable(),
  /** The phone as SCIM sent it; likewise the department and the number. */
  scim_phone: z.string().nullable(),
  email_type: z.string().nullable(),
  email_first: z.boolean().nullable(),
  phone_type: z.string().nullable(),
  phone_first: z.boolean().nullable(),
  department: z.string().nullable(),
  scim_department: z.string().nullable(),
  personnel_number: z.string().nullable(),
  scim_number: z.string().nullable(),
  joined_on: z.iso.date(),
  left_on: z.iso.date().nullable(),
  active: z.boolean(),
  /** Why SCIM can't make them active. */
  kept_out: z.enum(['scim_suspended', 'scim_left_by_hr']).nullable(),
  created_at: z.iso.datetime(),
  changed_at: z.iso.datetime(),
  version: z.string(),
  groups: z.object({ id: z.uuid(), display_name: z.string() }).array(),
})

export const user_columns: ScimColumns = {
  id: { sql: 'u.id::text', kind: 'exact' },
  externalid: { sql: 'u.external_id', kind: 'exact' },
  username: { sql: 'u.user_name', kind: 'text' },
  displayname: { sql: 'u.full_name', kind: 'text' },
  'name.formatted': { sql: 'u.full_name', kind: 'text' },
  'name.givenname': { sql: 'u.given_name', kind: 'text' },
  'name.familyname': { sql: 'u.family_name', kind: 'text' },
  emails: { sql: 'u.email', kind: 'text' },
  'emails.value': { sql: 'u.email', kind: 'text' },
  'emails.type': { sql: 'u.email_type', kind: 'text' },
  'emails.primary': { sql: 'u.email_first', kind: 'boolean' },
  phonenumbers: { sql: 'u.phone', kind: 'text' },
  'phonenumbers.value': { sql: 'u.phone', kind: 'text' },
  'phonenumbers.type': { sql: 'case when u.phone is not null then u.phone_type end', kind: 'text' },
  active: { sql: 'u.active', kind: 'boolean' },
  [`${urn.enterprise.toLowerCase()}:department`]: { sql: 'u.department', kind: 'text' },
  'groups.value': {
    sql: `(select array_agg(m.group_id::text) from scim_members m
      where m.company_id = u.company_id and m.person_id = u.id)`,
    kind: 'several',
  },
  [`${urn.enterprise.toLowerCase()}:employeenumber`]: { sql: 'u.personnel_number', kind: 'exact' },
  'meta.resourcetype': { sql: `'User'::text`, kind: 'text' },
  'meta.created': { sql: `date_trunc('milliseconds', u.created_at)`, kind: 'instant' },
  'meta.lastmodified': { sql: 'u.changed_at', kind: 'instant' },
}

export const userColumns = (tx: Tx) => tx`
  u.id, u.role, u.status, u.user_name, u.external_id, u.full_name, u.given_name, u.family_name,
  u.formatted, u.scim_department, u.personnel_number, u.scim_number, u.scim_phone,
  u.email_type, u.email_first, u.phone_type, u.phone_first,
  u.email, u.phone, u.department, u.joined_on, u.left_on, u.active, u.kept_out, u.created_at,
  u.changed_at, u.version, coalesce((select json_agg(json_build_object('id', g.id, 'display_name',
      g.display_name) order by g.display_name)
    from scim_members m join scim_groups g on g.company_id = m.company_id and g.id = m.group_id
    where m.company_id = u.company_id and m.person_id = u.id), '[]') as groups`

export const findPerson = (tx: Tx, company_id: string, id: string) =>
  row(
    ScimPerson,
    tx`select ${userColumns(tx)} from scim_users u where u.company_id = ${company_id} and u.id = ${id}`,
  )
export const readScimPeople = (query: PromiseLike<readonly unknown[]>) => rows(ScimPerson, query)

export function userOf(p: ScimPerson, base: string): Resource {
  const { formatted, given_name: givenName, family_name: familyName } = p
  const name = withoutEmpty({ formatted, givenName, familyName })
  const groups = p.groups.map(({ id, display_name }) => ({
    value: id,
    $ref: `${base}/Groups/${id}`,
    display: display_name,
    type: 'direct',
  }))
  const extension = withoutEmpty({ department: p.department, employeeNumber: p.personnel_number })
  const extended = Object.keys(extension).length > 0
  return withoutEmpty({
    schemas: extended ? [urn.user, urn.enterprise] : [urn.user],
    id: p.id,
    externalId: p.external_id,
    userName: p.user_name,
    name: Object.keys(name).length > 0 ? name : null,
    displayName: p.full_name,
    active: p.active,
    emails: [withoutEmpty({ value: p.email, type: p.email_type, primary: p.email_first })],
    phoneNumbers: p.phone && [
      withoutEmpty({ value: p.phone, type: p.phone_type, primary: p.phone_first }),
    ],
    groups: groups.length > 0 ? groups : null,
    [urn.enterprise]: extended ? extension : null,
    meta: {
      resourceType: 'User',
      created: p.created_at,
      lastModified: p.changed_at,
      location: `${base}/Users/${p.id}`,
      version: `W/"${p.version}"`,
    },
  })
}

/** Attributes without a value are left out. */
export const withoutEmpty = (resource: Resource): Resource =>
  Object.fromEntries(
    Object.entries(resource).filter(([, value]) => ![undefined, null, ''].includes(value as never)),
  )

/** Entra says "False". */
const Flag = z.union([
  z.boolean(),
  z
    .string()
    .toLowerCase()
    .pipe(z.enum(['true', 'false']))
    .transform((text) => text === 'true'),
])
export const isDisabled = ({ active }: Resource) => Flag.safeParse(active).data === false

const Text = (longest: number) => z.string().trim().max(longest)
const Name = (longest: number) => OneLine.max(longest)
const Contact = z.object({
  value: Text(255).nullish(),
  type: Text(50).nullish(),
  primary: Flag.nullish(),
})
const Contacts = z.preprocess((one) => (isObject(one) ? [one] : one), z.array(Contact).nullish())
const IncomingUser = z.object({
  userName: Text(255).min(1),
  externalId: Text(255).nullish(),
  name: z
    .object({
      formatted: Name(200).nullish(),
      givenName: Name(100).nullish(),
      familyName: Name(100).nullish(),
    })
    .nullish(),
  displayName: Name(200).nullish(),
  active: Flag.nullish(),
  emails: Contacts,
  phoneNumbers: Contacts,
  [urn.enterprise]: z
    .object({ department: Name(200).nullish(), employeeNumber: Text(255).nullish() })
    .nullish(),
})

/** The person as SCIM wants them. */
export type ScimUserFields = {
  user_name: string
  external_id: string | null
  full_name: string
  given_name: string | null
  family_name: string | null
  /** The full name, if it was sent beside its parts. */
  formatted: string | null
  email: string
  email_type: string | null
  email_first: boolean | null
  phone: string | null
  phone_type: string | null
  phone_first: boolean | null
  /** Null if it was not sent. */
  department: string | null
  personnel_number: string | null
  active: boolean
}

const invalidValue = (name: string) => new Problem('scim_value', { facts: { name } })
function valid<S extends z.ZodType>(shape: S, value: unknown, name: string): z.output<S> {
  const read = shape.safeParse(value)
  if (!read.success) throw invalidValue(name)
  return read.data
}

/** `before`: the person, if they are here already. */
export function userFieldsOf(resource: Resource, before?: ScimPerson): ScimUserFields {
  const read = IncomingUser.safeParse(resource)
  if (!read.success) throw invalidValue(read.error.issues[0]?.path.join('.') ?? '')
  const { userName, externalId, active, emails, phoneNumbers } = read.data
  const { name } = read.data
  const phone = chosen(phoneNumbers)
  const { department, employeeNumber } = read.data[urn.enterprise] ?? {}
  const mail = chosen(emails)
  const email = mail?.value ?? addressOf(userName, before)
  const display_name = fullName(read.data, before) ?? email?.split('@')[0]
  const full_name = valid(PersonName, display_name, 'displayName')
  return {
    user_name: userName,
    external_id: externalId || null,
    full_name,
    given_name: name?.givenName || null,
    family_name: name?.familyName || null,
    formatted: name?.formatted ? full_name : null,
    email: valid(Email, email, 'emails'),
    email_type: mail ? (mail.type ?? null) : 'work',
    email_first: mail ? (mail.primary ?? null) : true,
    phone: phone ? valid(Phone, numberIn(phone.value), 'phoneNumbers') : null,
    phone_type: phone?.type ?? null,
    phone_first: phone?.primary ?? null,
    department: department ? valid(Department, department, 'department') : null,
    personnel_number: employeeNumber
      ? valid(PersonnelNumber, employeeNumber, 'employeeNumber')
      : null,
    active: active ?? before?.active ?? true,
  }
}

/** The number of an address as RFC 3966 has it, which the standard asks for: `tel:+1-201-555-0123;ext=12`. */
const numberIn = (value: string | null | undefined) => value?.replace(/^tel:([^;]*).*$/i, '$1')

/** The contact to use: the primary one of those for work, else the first for work, else the first. */
function chosen(contacts: z.output<typeof Contacts>) {
  const there = contacts?.filter(({ value }) => value) ?? []
  const of_work = there.filter(({ type }) => type?.toLowerCase() === 'work')
  const counting = of_work.length > 0 ? of_work : there
  return counting.find(({ primary }) => primary) ?? counting[0]
}

/** The user name stands in for an address that was not sent, if it is one and changed. */
const addressOf = (user_name: string, before: ScimPerson | undefined) =>
  before && (before.user_name === user_name || !user_name.includes('@')) ? before.email : user_name

/** The product keeps one name: of the name and its parts, the one that was changed counts. */
function fullName(
  { displayName, name }: z.output<typeof IncomingUser>,
  before: ScimPerson | undefined,
) {
  const parts = [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  const was = [before?.given_name, before?.family_name].filter(Boolean).join(' ')
  const names = [displayName, name?.formatted].filter((one) => one && one !== before?.full_name)
  return names[0] ?? ((parts && parts !== was && parts) || before?.full_name || undefined)
}
