import type { z } from 'zod'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { absences, Absence, type NewAbsence } from './absences.contract.ts'

const about_days = {
  absence_ends_before_it_begins: 'to_on',
  absence_too_long: 'to_on',
  absence_is_over: 'to_on',
  already_away: 'from_on',
  no_such_deputy: 'deputy_id',
  deputy_counts_as_you: 'deputy_id',
  deputy_is_away: 'deputy_id',
} as const

async function addAbsence(tx: Tx, days: z.output<typeof NewAbsence>, company_id: string | null) {
  const { from_on, to_on, deputy_id = null, person_id = null } = days
  const [made] = await besideFields(
    about_days,
    tx<[{ id: string }]>`
      select add_absence(${from_on}, ${to_on}, ${deputy_id}, ${person_id}, ${company_id}) as id`,
  )
  return row(Absence, tx`select * from company_absences(${company_id}) where id = ${made.id}`)
}

export const absencesHandlers: Handlers<typeof absences> = {
  list: ({ tx }) => rows(Absence, tx`select * from company_absences()`),

  deputies: ({ tx, actor: { id }, input: { person_id = id } }) =>
    rows(
      absences.deputies.output.element,
      tx`select p.id, p.full_name
        from profiles away join profiles p on p.company_id = away.company_id
        where away.id = ${person_id}
          and p.id in (select r.person_id from rights_now r where r.company_id = away.company_id)
          and deputy_refusal(away.company_id, away.id, p.id, nullif(${id}, away.id)) is null
        order by p.sort_name, p.id limit 200`,
    ),

  add: ({ tx, input }) => addAbsence(tx, input, null),

  of_company: ({ tx, input: { company_id } }) =>
    rows(Absence, tx`select * from company_absences(${company_id})`),
  enter: ({ tx, input: { company_id, ...days } }) => addAbsence(tx, days, company_id),

  end: async ({ tx, input: { id } }) => {
    await tx`select end_absence(${id})`
    return {}
  },
}
