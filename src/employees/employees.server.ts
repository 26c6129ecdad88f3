import { byte_order_mark, csvLine } from '#lib/csv.ts'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { decimal } from '#lib/money.ts'
import type { FileAnswer } from '#lib/file-answer.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { Problem } from '#problems.ts'
import { Employee, EmployeeFound, employees, EmployeeDetail } from './employees.contract.ts'
import {
  employeeColumns,
  employeeRefusals,
  everyEmployee,
  headcount,
  listEmployees,
  type ExportedEmployee,
} from './list.server.ts'
import { listJoinRequests } from '#employees/joining/join-requests.server.ts'

import { managerHandlers } from '#employees/person/manager.server.ts'
import { notesHandlers } from '#employees/person/notes.server.ts'

export type MakePassword = () => Promise<{ password: string; hash: string }>

type EmployeeHandlers = Handlers<typeof employees>

export const employeesHandlers = (makePassword: MakePassword): EmployeeHandlers => ({
  ...readings,
  ...changes,
  ...approvals,
  ...notesHandlers,
  ...managerHandlers,

  add: async ({ tx, actor, input }) => {
    // The password is hashed before the first statement: a slow hash must not hold a row. People added by a key get a link by
    // mail, and no password that somebody else has seen.
    const { password, hash } = actor.key ? by_link : await makePassword()
    const { full_name, email, phone = null, department } = input
    const company_id = companyOf(actor)
    const person = { full_name, email, role: 'employee', company_id, phone, department }
    const [made] = await besideFields(
      { already_here: 'email', email_taken: 'email' },
      tx<[{ person_id: string; outcome: string }]>`
        select * from add_person(${tx.json(person)}, ${hash})`,
    )
    const employee = await findPerson(tx, actor, made.person_id)
    return { employee, initial_password: made.outcome === 'added' ? password : null }
  },
})

const AboutEmployee = EmployeeDetail.pick({
  last_sign_in_at: true,
  has_bank_account: true,
  never_came: true,
})

const by_link = { password: null, hash: null }

const readings: Pick<
  EmployeeHandlers,
  'list' | 'summary' | 'departments' | 'requests' | 'export' | 'find'
> = {
  list: ({ tx, actor, input }) => listEmployees(tx, companyOf(actor), input),
  summary: ({ tx, actor }) => headcount(tx, companyOf(actor)),
  departments: ({ tx, actor }) =>
    rows(
      employees.departments.output.element,
      tx`select department, people from departments
        where company_id = ${companyOf(actor)} and people > 0 order by department limit 1000`,
    ),
  requests: ({ tx, actor, input }) => listJoinRequests(tx, actor, input.after),
  export: ({ tx, actor, input }) => exportEmployees(everyEmployee(tx, companyOf(actor), input)),
  find: async ({ tx, actor, input: { id } }) => {
    const [employee, about] = await Promise.all([
      findPerson(tx, actor, id),
      row(
        AboutEmployee,
        tx`select a.*, never_came(${id}) as never_came from about_employee(${id}) a`,
      ),
    ])
    return { ...employee, ...about }
  },
}

const changes: Pick<
  EmployeeHandlers,
  'edit' | 'correct_address' | 'leave' | 'stay' | 'suspend' | 'reactivate' | 'remove'
> = {
  edit: async ({ tx, actor, input }) => {
    const person = await lockVersion(tx, actor, input.id, input.version)
    const { full_name, phone = null, department, joined_on, personnel_number } = input
    await besideFields(
      { own_benefit: 'department' },
      tx`update profiles set full_name = ${full_name}, phone = ${phone}, department = ${department}
        where id = ${input.id}`,
    )
    if (joined_on && joined_on !== person.joined_on) {
      await besideFields(
        {
          own_benefit: 'joined_on',
          admin_too_new: 'joined_on',
          joins_too_far_ahead: 'joined_on',
          employment_ends_before_it_begins: 'joined_on',
        },
        tx`select edit_employment(${input.id}, ${joined_on}, ${person.left_on})`,
      )
    }
    if (personnel_number !== undefined) {
      await besideFields(
        { personnel_number_taken: 'personnel_number' },
        tx`select number_person(${input.id}, ${personnel_number})`,
      )
    }
    await tx`select publish(${`admins:${person.company_id}`})`
    return findPerson(tx, actor, input.id)
  },

  correct_address: async ({ tx, actor, input: { id, version, email } }) => {
    await lockVersion(tx, actor, id, version)
    await tx`select correct_address(${id}, ${email})`
    return findPerson(tx, actor, id)
  },

  leave: async ({ tx, actor, input }) => {
    await lockVersion(tx, actor, input.id, input.version)
    await besideFields(
      { employment_ends_before_it_begins: 'left_on' },
      tx`select edit_employment(${input.id}, ${null}, ${input.left_on})`,
    )
    return findPerson(tx, actor, input.id)
  },

  stay: async ({ tx, actor, input }) => {
    await lockVersion(tx, actor, input.id, input.version)
    await tx`select edit_employment(${input.id}, ${null}, ${null})`
    return findPerson(tx, actor, input.id)
  },

  suspend: async ({ tx, actor, input: { id } }) => {
    await tx`select suspend_person(${id})`
    return findPerson(tx, actor, id)
  },

  reactivate: async ({ tx, actor, input: { id } }) => {
    await tx`select reactivate_person(${id})`
    return findPerson(tx, actor, id)
  },

  remove: async ({ tx, input: { id } }) => {
    await tx`select remove_person(${id})`
    return { id }
  },
}

const approvals: Pick<EmployeeHandlers, 'resend' | 'approve' | 'decline'> = {
  resend: async ({ tx, actor, input: { id } }) => {
    await tx`select invite_again(${id})`
    return findPerson(tx, actor, id)
  },

  approve: async ({ tx, actor, input: { id } }) => {
    await tx`select approve_person(${id})`
    return findPerson(tx, actor, id)
  },

  decline: async ({ tx, input: { id } }) => {
    await tx`select decline_person(${id})`
    return { id }
  },
}

/** A company admin who is active has one; anybody else was refused before. */
function companyOf({ company_id }: Actor): string {
  if (!company_id) throw new Problem('forbidden')
  return company_id
}

const findPerson = (tx: Tx, actor: Actor, id: string) =>
  row(
    EmployeeFound,
    tx`select ${employeeColumns(tx)}, ${employeeRefusals(tx, actor)} as refusals from profiles p
      where p.id = ${id} and p.company_id = ${companyOf(actor)}
        and (p.role = 'employee' or p.id <> ${actor.id})`,
  )

const lockPerson = (tx: Tx, actor: Actor, id: string) =>
  row(
    Employee,
    tx`select ${employeeColumns(tx)} from profiles p
      where p.id = ${id} and p.company_id = ${companyOf(actor)} for no key update`,
  )

/** Locks a person in the version that was read, or refuses, so that nobody's change is overwritten. */
async function lockVersion(tx: Tx, actor: Actor, id: string, version: number) {
  const person = await lockPerson(tx, actor, id)
  if (person.version !== version) throw new Problem('changed_meanwhile')
  return person
}

const headings = [
  'full_name',
  'email',
  'phone',
  'department',
  'status',
  'joined_on',
  'left_on',
  'prevention',
  'treatment',
  'solidarity',
  'total',
  'currency',
]

async function exportEmployees(people: AsyncIterable<ExportedEmployee[]>): Promise<FileAnswer> {
  const encoder = new TextEncoder()
  const parts = [encoder.encode(byte_order_mark + csvLine(headings))]
  for await (const batch of people) {
    parts.push(encoder.encode(batch.map((person) => csvLine(cellsOf(person))).join('')))
  }
  return { name: 'employees.csv', type: 'text/csv; charset=utf-8', body: new Blob(parts).stream() }
}

function cellsOf(p: ExportedEmployee) {
  const balances = [p.prevention_cents, p.treatment_cents, p.solidarity_cents]
  const total = balances.reduce((sum, cents) => sum + cents, 0)
  return [
    p.full_name,
    p.email,
    p.phone,
    p.department,
    p.account_state,
    p.joined_on,
    p.left_on,
    ...[...balances, total].map((cents) => decimal(cents, p.currency)),
    p.currency,
  ]
}
