import { ShieldCheck } from 'lucide-react'
import { useId, useState } from 'react'
import { z } from 'zod'
import { countsFrom } from '#users/rights.contract.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useActKey } from '#ui/act-key.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import { DateField, DateFilter } from '#ui/DateField.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Facts } from '#ui/Facts.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { count, counted, money } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFilter } from '#ui/url-state.ts'
import { nextBankingDay } from './banking-days.ts'
import { DuePayments } from './DuePayments.tsx'
import type { payouts } from './payouts.contract.ts'

type RunPreview = z.infer<(typeof payouts)['preview']['output']>

/** The payout that could be made now, up to a day, and the button that makes it. */
export function NextRun() {
  const [cut_off, setCutOff] = useFilter('up_to')
  const cut_off_on = z.iso.date().safeParse(cut_off).data
  const preview = useRead(lazy_api.payouts.preview, { cut_off_on }, { keep: true })
  const [making, setMaking] = useState(false)
  const [looking, setLooking] = useState(false)
  const up_to = useId()
  return (
    <Card
      title="Next payout"
      description="Approved, not yet paid"
      actions={
        <div className="flex items-center gap-2 text-ui whitespace-nowrap text-soft">
          <label htmlFor={up_to}>Approved up to</label>
          <DateFilter
            id={up_to}
            value={cut_off_on ?? preview?.cut_off_on ?? ''}
            onChange={setCutOff}
            max={preview?.today}
          />
        </div>
      }
    >
      {preview ? (
        <>
          <Sums preview={preview} />
          {preview.accounts_waiting > 0 && (
            <div className="mt-4">
              <Callout>
                {`${counted(preview.accounts_waiting, 'person is', 'people are')} left out: their bank `}
                account is new or was changed, and the policy delays payments to it.
              </Callout>
            </div>
          )}
          {preview.blocked_claims > 0 && (
            <div className="mt-4">
              <Callout>
                {`${counted(preview.blocked_claims, 'claim is', 'claims are')} blocked and left out, `}
                {`${money(preview.blocked_cents, preview.currency)} in all. Payment blocks shows why.`}
              </Callout>
            </div>
          )}
          <div className="mt-5 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line pt-4">
            <FourEyes preview={preview} />
            <div className="flex flex-wrap gap-2">
              {preview.people + preview.blocked_claims + preview.accounts_waiting > 0 && (
                <Button onClick={() => setLooking(true)}>Show payments</Button>
              )}
              {preview.people > 0 && (
                <Button variant="primary" onClick={() => setMaking(true)}>
                  Make payout
                </Button>
              )}
            </div>
          </div>
          <DuePayments cut_off_on={cut_off_on} open={looking} onClose={() => setLooking(false)} />
          {making && <MakeRun preview={preview} onClose={() => setMaking(false)} />}
        </>
      ) : (
        <Skeleton className="h-44 w-full" />
      )}
    </Card>
  )
}

function Sums({ preview }: { preview: RunPreview }) {
  const { currency, claims, people, claims_cents, withheld_cents, paid_cents } = preview
  if (people === 0) {
    return <p className="text-sm text-soft">Nothing to pay. Approved claims appear here.</p>
  }
  return (
    <>
      <p className="text-3xl font-semibold tracking-tight">
        <Money cents={paid_cents} currency={currency} />
      </p>
      <p className="mt-1 text-sm text-soft">
        {`${claims > 0 ? `${counted(claims, 'claim')}, ` : ''}${counted(people, 'person', 'people')}`}
      </p>
      {withheld_cents !== 0 && (
        <Facts
          variant="sums"
          className="mt-4 max-w-sm"
          facts={[
            ['Claims', <Money key="claims" cents={claims_cents} currency={currency} />],
            withheld_cents > 0
              ? ['Withheld for claims that were reversed', `−${money(withheld_cents, currency)}`]
              : ['Given back, withheld before', `+${money(-withheld_cents, currency)}`],
          ]}
        />
      )}
      {preview.without_account > 0 && (
        <div className="mt-4">
          <Callout tone="accent">
            {preview.without_account === 1
              ? 'One person has no bank account here yet. '
              : `${count(preview.without_account)} people have no bank account here yet. `}
            They are in the payroll file but not in the bank file.
          </Callout>
        </div>
      )}
    </>
  )
}

const FourEyes = ({ preview }: { preview: RunPreview }) => (
  <p className="flex min-w-0 flex-1 basis-64 items-start gap-2 text-ui text-pretty text-soft">
    <ShieldCheck className="mt-0.5 size-4 shrink-0 text-primary-ink" aria-hidden />
    {preview.has_second_person
      ? 'Two people are needed: one with Finance makes a payout, another checks and releases it. No money moves before that.'
      : preview.next_second_person
        ? `${countsFrom(preview.next_second_person)}. Until then one person can make and release a payout alone.`
        : 'Only one person has Finance, and makes and releases payouts alone. Once a second one has it, two people are needed.'}
  </p>
)

const PayOn = z.object({ pay_on: z.iso.date('Choose a date') })

/** Makes a payout of everything that is approved by now. */
export function NextRunDialog({ onClose }: { onClose: () => void }) {
  const preview = useRead(lazy_api.payouts.preview, {})
  if (preview) return <MakeRun preview={preview} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Make payout">
      <Skeleton className="h-44 w-full" />
    </Dialog>
  )
}

type MakeProps = { preview: RunPreview; onClose: () => void }

function MakeRun({ preview, onClose }: MakeProps) {
  const make = useWrite(lazy_api.payouts.make, ({ id }) => `Payout ${id} is ready for release`)
  const key = useActKey()
  const [pay_on] = useState(() => nextBankingDay(preview.today, preview.currency))
  const { cut_off_on, currency, paid_cents, claims } = preview
  return (
    <Dialog
      open
      onClose={onClose}
      title="Make payout"
      description={
        (claims > 0
          ? `${money(paid_cents, currency)} for ${counted(claims, 'claim')} approved up to ${dateText(cut_off_on)}.`
          : `${money(paid_cents, currency)} that was withheld before is given back.`) +
        ' It can be cancelled until it is released.'
      }
    >
      <Form
        name="payout"
        shape={PayOn}
        defaults={{ pay_on }}
        onSubmit={async ({ pay_on }) => {
          const input = { cut_off_on, pay_on }
          await make.submit(input, { idempotency_key: key.of(input) })
          key.done()
          onClose()
        }}
      >
        <DateField
          name="pay_on"
          label="Pay on"
          required
          min={preview.today}
          hint="The day on which the bank should carry it out. On a weekend or bank holiday it pays on its next working day."
        />
        <FormButtons onCancel={onClose} waiting="Making...">
          Make payout
        </FormButtons>
      </Form>
    </Dialog>
  )
}
