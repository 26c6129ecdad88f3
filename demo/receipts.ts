// Receipts of what somebody may open: the files are real, so that they can be read, looked at and downloaded.
import type { Planned } from './plan.ts'
import { aurora } from './companies.ts'
import { daysAfter } from './days.ts'
import { employee } from './logins.ts'
import { drawBill } from './papers.ts'
import type { Staff } from './people.ts'
import type { Api, DemoStage } from './stage.ts'

/** Since then Aurora wants to see receipts here; before, payroll looked at them. */
export const receipts_since_days = 12
export const receipt_above_cents = 2_500

/** The ids of what was uploaded: nothing where none is asked for. The employee to enter as has them all. */
export async function receiptFor(stage: DemoStage, { company }: Staff, claim: Planned, api: Api) {
  const asked_for =
    claim.submitted_on >= daysAfter(stage.today, -receipts_since_days) &&
    claim.cents > receipt_above_cents
  const { person, kin, provider, type, service_on } = claim
  if (company !== aurora || !(asked_for || person.email === employee.email)) return []
  const name = (kin ?? person).full_name
  const cents = claim.cents_on_receipt ?? claim.cents
  const bill = { provider, type, name, on: service_on, cents, currency: company.currency }
  const file = new Blob([await drawBill(bill)], { type: 'application/pdf' })
  const file_name = `${provider.replace(/\W+/g, '-').toLowerCase()}-${service_on}.pdf`
  const { id } = await api.receipts.upload({ file_name }, { file })
  // The result that reading it would have; test/demo-papers.test.ts reads one of each place.
  await stage.sql`
    update receipts set read_state = 'read', read_amount_cents = ${cents}, read_on = ${service_on},
      read_currency = ${company.currency}, read_provider = ${provider} where id = ${id}`
  return [id]
}
