import { FileDown, Landmark } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api.ts'
import { isProblemCode, problems } from '#problems.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Dialog, Sheet } from '#ui/Dialog.tsx'
import { tellFailure } from '#ui/failure.ts'
import { counted } from '#ui/figures.ts'
import { count, Money, money } from '#ui/Money.tsx'
import { save } from '#ui/save.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
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
  const run = useRead(api.payouts.find, { id })
  if (!run) return <Skeleton className="h-80 w-full" />
  return (
    <div className="flex flex-col gap-6">
      <Head run={run} />
      <Acts run={run} />
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
    <dl className="mt-4 grid gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
      <Fact name="Claims">
        {`${count(run.claims)} of ${counted(run.people, 'person', 'people')}`}
      </Fact>
      <Fact name="Approved up to">
        <DateText value={run.cut_off_on} />
      </Fact>
      <Fact name="Pay on">
        <DateText value={run.pay_on} />
      </Fact>
      <Fact name="Made">
        {run.made_by}, <DateText value={run.made_at} show="moment" />
      </Fact>
      {run.released_by && run.released_at && (
        <Fact name="Released">
          {run.released_by}, <DateText value={run.released_at} show="moment" />
        </Fact>
      )}
      {run.offset_cents > 0 && (
        <Fact name="Kept back">
          {`${money(run.offset_cents, run.currency)} of ${money(run.claims_cents, run.currency)}`}
        </Fact>
      )}
    </dl>
  </div>
)

const Fact = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-ui text-soft">{name}</dt>
    <dd className="mt-0.5 wrap-anywhere">{children}</dd>
  </div>
)

/** The dialog stays when another admin was faster, and says what they did. */
function Acts({ run }: { run: PayRun }) {
  const [asked, setAsked] = useState<Asked>()
  const refusal = isProblemCode(run.refusal) ? run.refusal : undefined
  return (
    <>
      {run.status === 'made' && (
        <Callout
          tone={run.mine_to_release ? 'notice' : 'accent'}
          title={run.mine_to_release ? 'It waits for you' : 'It waits for another admin'}
          action={
            <div className="flex flex-wrap gap-2">
              <Button onClick={() => setAsked('cancel')}>Cancel payout</Button>
              <Button
                variant="primary"
                unless={run.mine_to_release ? undefined : refusal}
                disabled={!run.mine_to_release}
                onClick={() => setAsked('release')}
              >
                Release
              </Button>
            </div>
          }
        >
          {run.mine_to_release
            ? `${run.made_by} made it. Once released, its claims count as paid and the files can be handed on.`
            : refusal
              ? problems[refusal][1]
              : 'Whoever makes a payout does not release it.'}
        </Callout>
      )}
      <Sure run={run} asked={asked} onClose={() => setAsked(undefined)} />
    </>
  )
}

type Asked = 'release' | 'cancel'
type SureProps = { run: PayRun; asked: Asked | undefined; onClose: () => void }

function Sure({ run, asked, onClose }: SureProps) {
  const release = useWrite(api.payouts.release, ({ id }) => `Payout ${id} is released`)
  const cancel = useWrite(api.payouts.cancel, ({ id }) => `Payout ${id} is cancelled`)
  const { id, version, status } = run
  const releases = asked === 'release'
  return (
    <Dialog
      open={asked !== undefined}
      onClose={onClose}
      title={releases ? `Release payout ${id}?` : `Cancel payout ${id}?`}
      description={
        releases
          ? `${money(run.paid_cents, run.currency)} for ${counted(run.people, 'person', 'people')} ` +
            'count as paid. This can’t be taken back; single payments that the bank returns can ' +
            'be marked.'
          : 'Its claims wait for the next payout again. Nothing was paid.'
      }
      moot={status === 'made' ? undefined : `Another admin ${status} it a moment ago.`}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button
            variant={releases ? 'primary' : 'danger'}
            onClick={() => {
              if (releases) release({ id, version })
              else cancel({ id, version })
              onClose()
            }}
          >
            {releases ? 'Release' : 'Cancel payout'}
          </Button>
        </>
      }
    />
  )
}

function Files({ run }: { run: PayRun }) {
  const account = useRead(api.payouts.company_account, {})
  if (run.status !== 'released') return null
  return (
    <div className="flex flex-wrap items-center gap-2">
      <FileButton
        title="Payroll CSV"
        name={`payout-${run.id}-payroll.csv`}
        icon={<FileDown className="size-4 text-faint" aria-hidden />}
        ask={() => api.payouts.payroll_file({ id: run.id })}
      />
      <FileButton
        title="Bank file (SEPA)"
        name={`payout-${run.id}-pain.001.xml`}
        icon={<Landmark className="size-4 text-faint" aria-hidden />}
        disabled={account === null}
        ask={() => api.payouts.bank_file({ id: run.id })}
      />
      {account === null && (
        <p className="text-ui text-soft">The bank file needs the company’s account.</p>
      )}
    </div>
  )
}

type FileProps = {
  title: string
  name: string
  icon: React.ReactNode
  disabled?: boolean
  ask: () => Promise<Blob>
}

function FileButton({ title, name, icon, disabled = false, ask }: FileProps) {
  const [loading, setLoading] = useState(false)
  const download = async () => {
    setLoading(true)
    try {
      save(await ask(), name)
    } catch (error) {
      tellFailure(error)
    } finally {
      setLoading(false)
    }
  }
  return (
    <Button loading={loading} disabled={disabled} icon={icon} onClick={() => void download()}>
      {title}
    </Button>
  )
}
