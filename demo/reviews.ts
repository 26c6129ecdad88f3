// Claims of the demo world: submitted by their people, decided by HR on its days, paid once a month.
import { aurora, suspended_days, yearOf, type PlannedCompany } from './companies.ts'
import { plain_step } from '#claims/policies/steps.contract.ts'
import { daysAfter, workday } from './days.ts'
import type { Staff } from './people.ts'
import type { DemoPlan, Planned } from './plan.ts'
import { receipt_above_cents, receiptFor, receipts_since_days } from './receipts.ts'
import type { Api, DemoStage } from './stage.ts'

const at_first = {
  receipt_above_cents: 1_000_000_000,
  spot_check_percent: 0,
  steps: [plain_step, { ...plain_step, above_cents: 50_000 }],
}

type Done = { claim: Planned; id: number; version: number; receipts: number }

/** Plans them all; what is decided on a day is what waits by then. */
export function handle(plan: DemoPlan, staff: Staff, claims: Planned[]) {
  const { company } = staff
  const { today } = plan
  const waiting: Done[] = []
  plan.at(yearOf(company, today), company, { name: 'change_policy' }, (stage) =>
    changePolicy(stage, company, at_first, 'Payroll looks at the receipts for now'),
  )
  if (company === aurora) {
    const from = daysAfter(today, -receipts_since_days)
    const terms = { receipt_above_cents, spot_check_percent: 5 }
    plan.at(from, company, { name: 'change_policy' }, (stage) =>
      changePolicy(stage, company, terms, 'Receipts are uploaded here from now on'),
    )
  }
  const ends = company.ends === 'suspended' ? daysAfter(today, -suspended_days) : today
  const in_time = (day: string) => day < ends || ends === today
  for (const claim of claims.filter(({ submitted_on }) => in_time(submitted_on)))
    plan.at(claim.submitted_on, company, { name: 'submit', claim }, async (stage) => {
      const done = await submit(stage, staff, claim)
      if (done) waiting.push(done)
    })
  for (const day of reviewDays(company, today).filter(in_time))
    plan.at(day, company, { name: 'review' }, (stage) => review(stage, company, waiting, day))
  for (const day of payDays(company, today).filter(in_time))
    plan.at(day, company, { name: 'pay' }, (stage) => pay(stage, company))
}

async function changePolicy(stage: DemoStage, of: PlannedCompany, terms: object, note: string) {
  const hr = await stage.as(of.admins[0]!.email)
  const {
    since: _,
    by_name: __,
    note: ___,
    currency: ____,
    names: _____,
    ...now
  } = await hr.policies.current({})
  // Two approvals need two reviewers.
  const { people: reviewers } = await hr.policies.step_choices({})
  const alone = reviewers.length < 2 ? { steps: [] } : {}
  await hr.policies.change({ ...now, ...terms, ...alone, note })
}

/** Each few days at Aurora, each other week elsewhere. */
function reviewDays(of: PlannedCompany, today: string): string[] {
  const days: string[] = []
  for (let day = yearOf(of, today); day <= today; day = daysAfter(day, of === aurora ? 4 : 14))
    days.push(workday(day))
  return [...new Set(days)]
}

function payDays(of: PlannedCompany, today: string): string[] {
  const days: string[] = []
  for (
    let day = daysAfter(yearOf(of, today), 26);
    day <= today;
    day = daysAfter(day, of === aurora ? 30 : 61)
  )
    days.push(workday(day))
  return days
}

/** A claim for HR to decide; undefined where the policy approved it at once, or its person withdrew it. */
async function submit(stage: DemoStage, staff: Staff, claim: Planned): Promise<Done | undefined> {
  const api = await stage.as(claim.person.email)
  staff.types ??= (await api.claims.options({})).types
  const type = staff.types.find(
    ({ name, category }) => name === claim.type && category === claim.category,
  )
  const dependent_id = claim.kin ? claim.kin.id : null
  if (!type || dependent_id === undefined) throw new Error(`The demo has no ${claim.type}`)
  const { category, provider, service_on, cents } = claim
  const made = await api.claims.submit({
    category,
    type_id: type.id,
    dependent_id,
    provider,
    service_on,
    bill_cents: cents,
    amount_cents: cents,
    receipt_ids: await receiptFor(stage, staff, claim, api),
  })
  if (made.status !== 'pending') return undefined
  if (claim.ending.how !== 'withdrawn') {
    const { id, version, receipts } = made
    return { claim, id, version, receipts }
  }
  await api.claims.withdraw({ id: made.id })
  return undefined
}

async function review(stage: DemoStage, of: PlannedCompany, waiting: Done[], day: string) {
  const hr = await stage.as(of.admins[0]!.email)
  const ready = waiting.filter(
    ({ claim }) => claim.submitted_on < day && claim.ending.how !== 'waits',
  )
  for (const done of ready) waiting.splice(waiting.indexOf(done), 1)
  for (const done of ready) await openReceipts(hr, done)
  const whole = ready.filter(({ claim }) => claim.ending.how === 'approved')
  if (whole.length > 0) {
    const claims = whole.map(({ id, version }) => ({ id, version }))
    const { refused } = await hr.review.approve_many({ claims })
    for (const { id } of refused)
      await approve(
        stage,
        of,
        claims.find((one) => one.id === id)!,
      )
  }
  for (const done of ready)
    if (done.claim.ending.how !== 'approved') await decide(stage, of, hr, done)
}

/** HR looks before it decides, and its opening is shown to the claim's person. */
async function openReceipts(
  { receipts }: Api,
  { id: claim_id, receipts: attached }: Pick<Done, 'id' | 'receipts'>,
) {
  if (attached === 0) return
  for (const { id } of await receipts.list({ claim_id }))
    await receipts.thumbnail({ id, size: 'large' })
}

/** Approves by the first reviewer, and by the second if one was not enough. */
async function approve(
  stage: DemoStage,
  { admins }: PlannedCompany,
  claim: { id: number; version: number; amount_cents?: number; text?: string },
) {
  let { version } = claim
  for (const { email } of admins) {
    const { review } = await stage.as(email)
    const now = await review.approve({ ...claim, version })
    if (now.stage !== 'further_review') return
    version = now.version
  }
}

async function decide(stage: DemoStage, of: PlannedCompany, hr: Api, done: Done) {
  const { claim, id, version } = done
  const { ending, person } = claim
  const mine = async () => (await stage.as(person.email)).claims
  if (ending.how === 'part') {
    const amount_cents = Math.round((claim.cents * ending.percent) / 100)
    await approve(stage, of, { id, version, amount_cents, text: ending.text })
  } else if (ending.how === 'rejected') {
    const { reason, text } = ending
    await hr.review.reject({ id, version, reason, text })
    const other = of.admins[1]
    if (!ending.appeals || !other) return
    const text_of_appeal = 'I paid this in full: my insurer paid nothing. The letter is with HR.'
    const again = await (await mine()).appeal({ id, text: text_of_appeal })
    const theirs = await stage.as(other.email)
    await openReceipts(theirs, done)
    await theirs.review.approve({ id, version: again.version })
  } else if (ending.how === 'asked') {
    await hr.review.ask({ id, version, text: ending.text })
    if (!ending.answer) return
    const again = await (await mine()).answer({ id, text: ending.answer })
    await approve(stage, of, { id, version: again.version })
  }
}

/** Makes a payout by one admin and releases it by another, if there are two. Dates follow when the world is moved. */
export async function pay(stage: DemoStage, of: PlannedCompany) {
  const [maker, releaser] = [of.admins[0]!, of.admins.at(-1)!]
  const { payouts } = await stage.as(maker.email)
  const next = await payouts.preview({})
  if (next.claims === 0) return
  const run = await payouts.make({ cut_off_on: next.cut_off_on, pay_on: next.cut_off_on })
  const by_other = await stage.as(releaser.email)
  await by_other.payouts.release({ id: run.id, version: run.version })
}
