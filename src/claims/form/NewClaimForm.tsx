import { clsx } from 'clsx'
import { useState } from 'react'
import { useFormContext, type UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import { receipts_api } from '#api/receipts-api.ts'
import { paths, pathTo } from '#paths.ts'
import { Problem, problems } from '#problems.ts'
import { DateField } from '#ui/DateField.tsx'
import { useWrite } from '#ui/ask.ts'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { AmountField } from '#ui/AmountField.tsx'
import { Failure } from '#ui/failure.ts'
import { Form } from '#ui/Form.tsx'
import { SelectField } from '#ui/SelectField.tsx'
import { TextAreaField, TextField } from '#ui/TextField.tsx'
import { FormReceipts } from './FormReceipts.tsx'
import { CategoryField } from './CategoryField.tsx'
import { claimFormOf, type ClaimForm, type Readable, idsIn } from './claim-form.ts'
import type { Claim, ClaimDetail, ClaimOptions } from '#claims/claims.contract.ts'
import { ForWhomField } from './ForWhomField.tsx'
import { FieldWarning } from './FieldWarning.tsx'
import { LimitsLeft } from './LimitsLeft.tsx'
import { LinesField } from './LinesField.tsx'
import { ClaimLess, useChecks, type ClaimChecks } from './NewClaimChecks.tsx'
import { NewClaimSend } from './NewClaimSend.tsx'
import { ReadMark, useReading } from './reading.tsx'
import { ReceiptsField } from './ReceiptsField.tsx'
import { copyOf } from './copied.ts'
import { useReused } from './reused.ts'
import { WhyRejected } from './WhyRejected.tsx'
import {
  useFollowingAmount,
  useFittingType,
  useTouchedFields,
  type TouchedFields,
} from './form-defaults.ts'
import { localisedProblem } from './localised.ts'

type Props = {
  options: ClaimOptions
  copied: ClaimDetail | undefined
  dropped: File[]
  onDone: (claim: Claim) => void
}

export function NewClaimForm({ options, copied, dropped, onDone }: Props) {
  const { currency } = options
  const submit = useWrite(api.claims.submit)
  const [shape] = useState(() => claimFormOf(currency))
  const [defaults] = useState(() => defaultsOf(copied, currency))
  const [arrived, setArrived] = useState<number>()
  const send = async (typed: z.output<ClaimForm>, form: UseFormReturn) => {
    const { attempt: _, dependent_id, ...values } = typed
    const for_whom = values.category === 'solidarity' ? { dependent_id } : {}
    // The attempt's key is read now, so that a second press sends the same one.
    const before = form.getValues('attempt') as string
    const attempt = before || crypto.randomUUID()
    form.setValue('attempt', attempt)
    try {
      onDone(await submit.submit({ ...values, ...for_whom }, { idempotency_key: attempt }))
    } catch (error) {
      // The first answer was lost and the form changed since: the claim as first sent is here already.
      const twice = error instanceof Problem && error.code === 'idempotency_key_reused'
      if (!twice) {
        form.setValue('attempt', afterFailure(error, { before, attempt }))
        throw localisedProblem(error)
      }
      setArrived(Number(error.facts?.['id']))
    }
  }
  if (arrived) return <AlreadySubmitted id={arrived} />
  return (
    <Form
      name={copied ? `claim-again:${copied.id}` : 'claim'}
      shape={shape}
      defaults={defaults}
      onSubmit={send}
      className="flex min-h-full flex-col gap-5"
    >
      <ClaimFields options={options} copied={copied} dropped={dropped} defaults={defaults} />
    </Form>
  )
}

/** The key of the attempt that may have made a claim; empty if none can have. */
function afterFailure(error: unknown, { before, attempt }: Record<'before' | 'attempt', string>) {
  // A request without a connection was never sent.
  if (error instanceof Failure) return before
  if (!(error instanceof Problem)) return attempt
  // The server looks for a claim by this key first, so a refusal of fields means that there is none.
  if (error.fields && error.code !== 'invalid_input') return ''
  return problems[error.code][0] < 500 ? before : attempt
}

const AlreadySubmitted = ({ id }: { id: number }) => (
  <Callout
    tone="good"
    title={`Claim #${id} was already submitted`}
    action={<ButtonLink to={pathTo(paths.my_claim, id)}>See the claim</ButtonLink>}
  >
    Your first try reached us, but our answer got lost. It is as you sent it then; withdraw it if
    something was wrong.
  </Callout>
)

const nothing = {
  attempt: '',
  receipt_ids: '',
  provider: '',
  service_on: '',
  bill_cents: '',
  amount_cents: '',
  note: '',
  lines: '',
}

const defaultsOf = (
  copied: ClaimDetail | undefined,
  currency: string,
): Partial<z.input<ClaimForm>> => ({
  ...nothing,
  ...(copied ? copyOf(copied, currency) : {}),
})

type ClaimFieldsProps = Omit<Props, 'onDone'> & { defaults: Partial<z.input<ClaimForm>> }

function ClaimFields({ options, copied, dropped, defaults }: ClaimFieldsProps) {
  const touched = useTouchedFields()
  const read = useReading(options.currency, touched)
  const checks = useChecks(options)
  useFollowingAmount(touched)
  useFittingType(options)
  useReused(copied)
  return (
    <>
      {copied && <WhyRejected copied={copied} />}
      <KeptFromBefore defaults={defaults} touched={touched} in_doubt={checks.in_doubt} />
      <div
        onInput={touched.note}
        className={clsx(
          'grid flex-1 items-start gap-x-8 gap-y-6 md:grid-cols-[17rem_minmax(0,1fr)]',
          'has-data-two-panes:md:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]',
        )}
      >
        <div className="min-w-0 md:sticky md:top-0">
          <ReceiptsField
            name="receipt_ids"
            label="Receipts"
            hint="We’ll read the details and fill in the form."
            first={dropped}
            warning={checks.sentence('receipt_ids') ?? read.differing}
          />
          <FormReceipts name="receipt_ids" />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <CategoryField options={options} />
          <FieldWarning name="category" text={checks.sentence('category')} />
          <LimitsLeft options={options} checks={checks} />
          <ForWhomField options={options} warning={checks.sentence('dependent_id')} />
          <TypeAndProvider options={options} read={read} checks={checks} />
          <Amounts options={options} read={read} checks={checks} />
          <LinesField currency={options.currency} warning={checks.sentence('lines')} />
          <TextAreaField
            name="note"
            label="Note"
            rows={2}
            hint="Optional. HR reads it with the claim."
          />
        </div>
      </div>
      <NewClaimSend checks={checks} />
    </>
  )
}

/** Text typed before the form was closed is still there; one press starts over. */
function KeptFromBefore({
  defaults,
  touched,
  in_doubt,
}: {
  defaults: Record<string, unknown>
  touched: TouchedFields
  in_doubt: boolean
}) {
  const form = useFormContext()
  const remove = useWrite(receipts_api.remove)
  const [shown, setShown] = useState(() => differs(form.getValues(), defaults))
  if (!shown && !in_doubt) return null
  const restart = () => {
    touched.forget()
    // Receipts of a draft that is given up would wait, unseen, for a claim that never comes. A claim that did arrive keeps them.
    if (!in_doubt) for (const id of idsIn(form.getValues('receipt_ids'))) remove({ id })
    form.reset({ ...defaults })
    setShown(false)
  }
  return (
    <p className={keptStyles}>
      {shown && 'Draft restored. '}
      {in_doubt
        ? 'It may already have been submitted: sending it again won’t create a second claim.'
        : 'Nothing has been submitted yet.'}
      <Button size="small" onClick={restart}>
        Start over
      </Button>
    </p>
  )
}

const keptStyles = clsx(
  'flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-card bg-sunken',
  'py-1.5 pr-1.5 pl-4 text-ui text-soft',
)

const differs = (now: Record<string, unknown>, defaults: Record<string, unknown>) =>
  Object.keys(now).some(
    (name) => name !== 'attempt' && (now[name] || '') !== (defaults[name] ?? ''),
  )

type PartProps = { options: ClaimOptions; read: ReturnType<typeof useReading>; checks: ClaimChecks }

function TypeAndProvider({ options, read, checks }: PartProps) {
  const types = read.form.watch('category')
    ? options.types.filter(({ category }) => category === read.form.watch('category'))
    : []
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <SelectField
        name="type_id"
        label="Type"
        required
        placeholder={types.length > 0 ? 'Choose a type' : 'Choose a category first'}
        options={Object.fromEntries(types.map(({ id, name }) => [id, name]))}
        hint={<FieldWarning name="type_id" text={checks.sentence('type_id')} />}
      />
      <DateField
        name="service_on"
        label="Service date"
        required
        min={options.earliest}
        max={options.today}
        hint={<FieldHint name="service_on" read={read} checks={checks} />}
      />
      <div className="sm:col-span-2">
        <TextField
          name="provider"
          label="Provider"
          required
          placeholder="Clinic, doctor or pharmacy"
          hint={<FieldHint name="provider" read={read} checks={checks} />}
        />
      </div>
    </div>
  )
}

const Amounts = ({ options, read, checks }: PartProps) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <AmountField
      name="bill_cents"
      label="Bill total"
      currency={options.currency}
      required
      hint={<FieldHint name="bill_cents" read={read} checks={checks} />}
    />
    <AmountField
      name="amount_cents"
      label="Amount claimed"
      currency={options.currency}
      required
      readOnly={Boolean(read.form.watch('lines'))}
      hint={<ClaimLess checks={checks} currency={options.currency} />}
    />
  </div>
)

type FieldHintProps = Pick<PartProps, 'read' | 'checks'> & { name: Readable }

/** The line under a field: what a check found, or that the value was read from the receipt. */
function FieldHint({ name, read, checks }: FieldHintProps) {
  const text = checks.sentence(name) ?? (name === 'bill_cents' ? read.foreign : undefined)
  return text ? <FieldWarning name={name} text={text} /> : read.marks(name) ? <ReadMark /> : null
}
