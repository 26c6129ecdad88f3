import { useQueries } from '@tanstack/react-query'
import { ScanText } from 'lucide-react'
import { useEffect, useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { api } from '#api.ts'
import { receipt_limits, receipt_types, type Receipt } from '#receipts/receipts.contract.ts'
import { queries, useWrite } from '#ui/ask.ts'
import { AuthImage } from '#ui/AuthImage.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Fault } from '#ui/Field.tsx'
import { FileDrop } from '#ui/FileDrop.tsx'
import { money } from '#ui/Money.tsx'
import { Spinner } from '#ui/Spinner.tsx'
import type { SendFile } from '#ui/uploads.ts'
import { FieldWarning } from './FieldWarning.tsx'
import { idsIn } from './receipt-ids.ts'

type Props = {
  name: string
  label: string
  hint: string
  /** Chosen before the form was open. */
  first?: readonly File[]
  warning?: string | undefined
}

/** The receipts of a form. Its value is their ids, so that a reload loses no upload. */
export function ReceiptsField({ name, label, hint, first, warning }: Props) {
  const id = useId()
  const form = useFormContext()
  const ids = idsIn(form.watch(name))
  const receipts = useReceipts(ids)
  const remove = useWrite(api.receipts.remove)
  const fault = form.getFieldState(name, form.formState).error?.message
  const change = (ids: string[]) =>
    form.setValue(name, ids.join(','), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <FileDrop
        label={label}
        hint={hint}
        accept={receipt_types.join(',')}
        most={receipt_limits.each_claim}
        largest_bytes={receipt_limits.bytes}
        kept={ids.map((receipt_id) => keptOf(receipt_id, receipts))}
        first={first}
        send={sendReceipt}
        onKept={(receipt) => change([...new Set([...idsIn(form.getValues(name)), receipt.id])])}
        onRemove={(gone) => {
          change(idsIn(form.getValues(name)).filter((one) => one !== gone))
          remove({ id: gone })
        }}
      />
      <FieldWarning name={name} text={warning} />
      <Fault id={id} text={fault} />
    </div>
  )
}

const sendReceipt: SendFile<Receipt> = async (file, options) => {
  const file_name = file.name.slice(-200) || 'receipt'
  const receipt = await api.receipts.upload({ file_name }, { file, ...options })
  queries.setQueryData([api.receipts.find.key, { id: receipt.id }], receipt)
  return receipt
}

const keptOf = (id: string, receipts: readonly Receipt[]) => {
  const receipt = receipts.find((one) => one.id === id)
  return {
    id,
    name: receipt?.file_name ?? 'Receipt',
    note: receipt && <Reading receipt={receipt} />,
    picture: receipt && (
      <AuthImage
        small
        call={api.receipts.thumbnail}
        input={{ id, size: 'small' as const }}
        alt=""
        className="object-top"
      />
    ),
  }
}

function Reading({ receipt }: { receipt: Receipt }) {
  if (isWaiting(receipt)) {
    return (
      <span className="flex items-center gap-1.5">
        <Spinner className="size-3.5" />
        Reading it…
      </span>
    )
  }
  const found = whatWasRead(receipt)
  if (found === '')
    return <span className="text-pretty">Not readable. Please type what it says.</span>
  return (
    <span className="flex items-start gap-1.5">
      <ScanText className="mt-0.5 size-3.5 shrink-0 text-primary-ink" aria-hidden />
      <span className="min-w-0 wrap-anywhere">{found}</span>
    </span>
  )
}

const isWaiting = ({ read_state }: Receipt) => read_state === 'waiting' || read_state === 'reading'

const whatWasRead = ({ read_amount_cents, read_currency, read_on, read_provider }: Receipt) =>
  [
    read_amount_cents !== null && read_currency ? money(read_amount_cents, read_currency) : '',
    read_on ? dateText(read_on) : '',
    read_provider ?? '',
  ]
    .filter(Boolean)
    .join(' · ')

const again_ms = 1500

/** The live stream tells as soon as one is read; where that is cut off, asking now and then does. */
export function useReceipts(ids: readonly string[]): Receipt[] {
  const receipts = useQueries({
    queries: ids.map((id) => ({
      queryKey: [api.receipts.find.key, { id }],
      queryFn: () => api.receipts.find({ id }),
    })),
  }).flatMap(({ data }) => data ?? [])
  const waiting = receipts
    .filter(isWaiting)
    .map(({ id }) => id)
    .join(',')
  useEffect(() => {
    if (!waiting) return undefined
    const timer = setInterval(() => {
      for (const id of idsIn(waiting)) {
        void queries.invalidateQueries({ queryKey: [api.receipts.find.key, { id }] })
      }
    }, again_ms)
    return () => clearInterval(timer)
  }, [waiting])
  return receipts
}
