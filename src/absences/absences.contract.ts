// Absences of a company's admins, and the deputies who have their work meanwhile.
import { z } from 'zod'
import { Day } from '#lib/days.ts'
import { del, get, post } from '#lib/contract.ts'

export type Absence = z.infer<typeof Absence>
export const Absence = z.object({
  id: z.uuid(),
  person_id: z.uuid(),
  person_name: z.string(),
  /** The deputy who was named; there need be none. */
  deputy_name: z.string().nullable(),
  from_on: z.iso.date(),
  to_on: z.iso.date(),
  is_now: z.boolean(),
  /** The person who has the work today: the deputy, or the deputy's own deputy. Null: nobody, or it has not begun. */
  has_it: z.string().nullable(),
  /** The absence is the asker's own, or they entered it. */
  may_end: z.boolean(),
})

export const NewAbsence = z.object({
  /** The admin who is away and can't enter it; without one, whoever asks. */
  person_id: z.uuid('Choose who is away').optional(),
  from_on: Day('Choose the first day'),
  to_on: Day('Choose the last day'),
  deputy_id: z.uuid('Choose somebody, or nobody').optional(),
})

const None = z.object({})
const OfCompany = z.object({ company_id: z.uuid() })
const OfPerson = NewAbsence.extend({ ...OfCompany.shape, person_id: z.uuid() })

export const absences = {
  /** The absences of all admins of the company that are not over. */
  list: get('/absences', None, Absence.array()),
  /** The admins who can be deputy of this person; without one, of whoever asks. */
  deputies: get(
    '/absences/deputies',
    NewAbsence.pick({ person_id: true }),
    z.array(z.object({ id: z.uuid(), full_name: z.string() })),
  ),
  add: post('/absences', NewAbsence, Absence),
  /** The provider enters absences for any admin of a company. */
  of_company: get('/companies/:company_id/absences', OfCompany, Absence.array()),
  enter: post('/companies/:company_id/absences', OfPerson, Absence),
  end: del('/absences/:id', z.object({ id: z.uuid() }), None),
}
