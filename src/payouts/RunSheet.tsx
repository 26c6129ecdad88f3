import { FileDown, Landmark } from 'lucide-react'
import { useState } from 'react'
import { problems, type ProblemCode } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { Facts } from '#ui/Facts.tsx'
import { counted, money, oneOf } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { JournalFiles, MissingCodes } from './JournalCard.tsx'
import { byBank, erasedText, paidHow, paidOnce } from './paid-how.ts'
import type { PayRun } from './payouts.contract.ts'
import { RunItems } from './RunItems.tsx'
import { RunStatusBadge } from './RunStatusBadge.tsx'

type Props = { id: number | undefined; onClose: () => void }

/** One payout: what it holds, and what may be done with it. */
export function RunSheet({ id, onClose }: Props) {
  const valid = id !== undefined && Number.isInteger(id) && id > 0
  return (
    <Sheet wide open={valid} onClose={onClose} title={`Payout ${id ?? ''}`}>
      {valid && (
        <Boundary key={id}>
          <Read id={id} />
        </Boundary>
      )}
    </Sheet>
  )
}

function Read({ id }: { id: number }) {
  const run = useRead(lazy_api.payouts.find, { id })
  if (!run) return <Skeleton className="h-80 w-full" />
  return (
    <div className="flex flex-col gap-6">
      <Head run={run} />
      <RunActions run={run} />
      <ToCheck run={run} />
      <Files run={run} />
      <RunItems run={run} />
    </div>
  )
}

const Head = ({ run }: { run: PayRun }) => (
  <div>
    <div className="flex flex-wrap items-center justify-between gap-3">
      <p className="text-3xl font-semibold tracking-tight">
        <Money cents={run.paid_cents} currency={run.currency} />
      </p>
      <RunStatusBadge status={run.status} />
    </div>
    <Facts
      variant="columns"
      className="mt-4"
      facts={[
        ['Claims', `${counted(run.claims, 'claim')}, ${counted(run.people, 'person', 'people')}`],
        ['Approved up to', <DateText key="cut_off" value={run.cut_off_on} />],
        ['Pay on', <DateText key="pay_on" value={run.pay_on} />],
        ['Made', <ByAt key="made" by={run.made_by ?? 'An admin'} at={run.made_at} />],
        run.released_by &&
          run.released_at && [
            'Released',
            <ByAt key="released" by={run.released_by} at={run.released_at} />,
          ],
        run.paid_from_end &&
          byBank(run) && [
            'Paid from',
            <span key="paid_from" className="figures">{`•••• ${run.paid_from_end}`}</span>,
          ],
        run.returned_cents > 0 && [
          'Returned',
          `${money(run.returned_cents, run.currency)} of ${money(run.paid_cents, run.currency)}`,
        ],
        run.withheld_cents < 0 && [
          'Given back',
          `${money(-run.withheld_cents, run.currency)}, withheld before`,
        ],
        run.withheld_cents > 0 && [
          'Withheld',
          `${money(run.withheld_cents, run.currency)} of ${money(run.claims_cents, run.currency)}`,
        ],
      ]}
    />
  </div>
)

const ByAt = ({ by, at }: { by: string; at: string }) => (
  <>
    {by}, <DateText value={at} show="moment" />
  </>
)

/** The names of others who can release it. */
const others = ({ releasers, refusals }: PayRun) =>
  refusals.release && releasers.length > 0 ? `Waiting for ${oneOf(releasers)}` : undefined

const madeText = ({ made_by, made_by_you }: PayRun) =>
  made_by_you
    ? 'You made it, and release it yourself, as nobody else can.'
    : `${made_by ?? 'An admin'} made it.`

const refused: Partial<Record<ProblemCode, string>> = {
  release_needs_another: 'Waiting for somebody else with Finance',
  admin_too_new: 'You can’t release it yet',
  account_waits: 'Has to be made again',
}

/** The dialog stays when another admin was faster, and says what they did. */
function RunActions({ run }: { run: PayRun }) {
  const [confirming, setConfirming] = useState<RunAct>()
  const { release, cancel } = run.refusals
  return (
    <>
      {run.status === 'made' && (
        <Callout
          tone={release ? 'accent' : 'notice'}
          title={
            release
              ? (others(run) ?? refused[release] ?? 'Can’t be released')
              : run.made_by_you
                ? 'Ready for release'
                : 'Waiting for you'
          }
          action={
            <div className="flex flex-wrap gap-2">
              <Button unless={cancel} onClick={() => setConfirming('cancel')}>
                Cancel payout
              </Button>
              <Button variant="primary" unless={release} onClick={() => setConfirming('release')}>
                Release
              </Button>
            </div>
          }
        >
          {release
            ? problems[release][1]
            : `${madeText(run)} Once released, its claims count as paid and the files can be handed on.`}
        </Callout>
      )}
      <Sure run={run} confirming={confirming} onClose={() => setConfirming(undefined)} />
    </>
  )
}

/** Accounts to check before money moves. A person notices best if one was somebody else's until lately. */
function ToCheck({ run: { accounts_to_check } }: { run: PayRun }) {
  if (accounts_to_check === 0) return null
  return (
    <Callout
      tone="accent"
      title={`Check ${counted(accounts_to_check, 'bank account')} before the release`}
    >
      Each is new or was changed in the last 30 days, is also somebody else’s account, or had a
      payment sent back by the bank. They are marked below; ask their owners if in doubt.
    </Callout>
  )
}

type RunAct = 'release' | 'cancel'
type SureProps = { run: PayRun; confirming: RunAct | undefined; onClose: () => void }

function Sure({ run, confirming, onClose }: SureProps) {
  const release = useWrite(lazy_api.payouts.release, ({ id }) => `Payout ${id} released`)
  const cancel = useWrite(lazy_api.payouts.cancel, ({ id }) => `Payout ${id} cancelled`)
  const account = useRead(lazy_api.payouts.company_account, {})
  const { id, version, status } = run
  const releases = confirming === 'release'
  return (
    <ConfirmDialog
      open={confirming !== undefined}
      onClose={onClose}
      title={releases ? `Release payout ${id}?` : `Cancel payout ${id}?`}
      description={
        releases
          ? `${money(run.paid_cents, run.currency)} for ${counted(run.people, 'person', 'people')} ` +
            `will count as paid. ${paidOnce(run, account !== null)} This can’t be undone; single ` +
            'payments that come back can be marked.'
          : 'Its claims will be in the next payout. Nothing was paid.'
      }
      moot={status === 'made' ? undefined : `Somebody else ${status} it a moment ago.`}
      keep="Not now"
      variant={releases ? 'primary' : 'danger'}
      does={releases ? 'Release' : 'Cancel payout'}
      act={() => (releases ? release : cancel).submit({ id, version })}
    />
  )
}

function Files({ run }: { run: PayRun }) {
  const released = run.status === 'released'
  const codes = useRead(lazy_api.books.sums, released ? { id: run.id } : undefined)
  if (!released) return null
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <DownloadButton
          icon={<FileDown className="size-4 text-faint" aria-hidden />}
          file={() => lazy_api.payouts.payroll_file({ id: run.id })}
        >
          Payroll CSV
        </DownloadButton>
        <DownloadButton
          icon={<FileDown className="size-4 text-faint" aria-hidden />}
          unless={codes?.refusals.wages}
          file={() => lazy_api.books.wages({ id: run.id })}
        >
          Payroll by wage type
        </DownloadButton>
        <DownloadButton
          icon={<Landmark className="size-4 text-faint" aria-hidden />}
          unless={run.refusals.bank_file}
          file={() => lazy_api.payouts.bank_file({ id: run.id })}
        >
          {run.currency === 'EUR' ? 'Bank file (SEPA)' : `Bank file (${run.currency})`}
        </DownloadButton>
        <JournalFiles period={{ id: run.id }} refusals={codes?.refusals} />
      </div>
      <p className="text-ui text-pretty text-soft">{paidHow(run)}</p>
      {run.erased.payments > 0 && <p className="text-ui text-soft">{erasedText(run)}</p>}
      {run.refusals.bank_file === 'company_account_needed' && (
        <p className="text-ui text-soft">The bank file needs the company’s account.</p>
      )}
      <MissingCodes what="Wage types" names={codes?.missing_wage_types} />
      <MissingCodes what="Accounts" names={codes?.missing} />
    </div>
  )
}
