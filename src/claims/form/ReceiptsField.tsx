import { ScanText, Square, Trash2 } from 'lucide-react'
import { use, useEffect, useEffectEvent, useId, useState } from 'react'
import { useController, useFormContext } from 'react-hook-form'
import { receipts_api } from '#api/receipts-api.ts'
import { receipt_limits } from '#receipts/limits.contract.ts'
import { receipt_types, type Receipt } from '#receipts/receipts.contract.ts'
import { queries, useRead, useWrite } from '#ui/ask.ts'
import { AuthImage } from '#ui/AuthImage.tsx'
import { Button, IconButton } from '#ui/Button.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Fault } from '#ui/Field.tsx'
import { money } from '#ui/figures.ts'
import { FileDrop } from '#ui/FileDrop.tsx'
import { FormUploadsContext } from '#ui/form-uploads.ts'
import { Spinner } from '#ui/Spinner.tsx'
import { toast } from '#ui/toast.ts'
import type { SendFile } from '#ui/uploads.ts'
import { FieldWarning } from './FieldWarning.tsx'
import { BlackOut } from '#claims/receipts/BlackOut.tsx'
import { idsIn } from './claim-form.ts'
import { ReceiptViewer } from '#claims/receipts/ReceiptViewer.tsx'
import { isWaiting, useReceipts } from './use-receipts.ts'

type Props = {
  name: string
  label: string
  hint?: string
  /** Files chosen before the form was open. */
  first?: readonly File[]
  warning?: string | undefined
}

/** The receipts of a form. The value is a list of ids, so that a reload loses no upload. */
export function ReceiptsField({ name, label, hint, first, warning }: Props) {
  const id = useId()
  const form = useFormContext()
  const ids = idsIn(useController({ name }).field.value)
  const { receipts, gone } = useReceipts(ids)
  useReported(receipts)
  const remove = useWrite(receipts_api.remove)
  const [large, setLarge] = useState<string>()
  const [blacking, setBlacking] = useState<string>()
  const fault = form.getFieldState(name, form.formState).error?.message
  const change = (ids: string[]) =>
    form.setValue(name, ids.join(','), {
      shouldDirty: true,
      shouldValidate: form.formState.isSubmitted,
    })
  useDropped(gone, (left_out) =>
    change(idsIn(form.getValues(name)).filter((one) => !left_out.includes(one))),
  )
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <FileDrop
        label={label}
        hint={`${hint ? `${hint} ` : ''}JPEG, PNG, WebP or PDF, up to ${receipt_limits.bytes / 2 ** 20} MB`}
        accept={receipt_types.join(',')}
        most={receipt_limits.each_claim}
        largest_bytes={receipt_limits.bytes}
        kept={ids.map((one) => keptOf(one, receipts, { enlarge: setLarge, blackOut: setBlacking }))}
        first={first}
        send={sendReceipt}
        onKept={(receipt) => change([...new Set([...idsIn(form.getValues(name)), receipt.id])])}
        onRemove={(gone) => {
          change(idsIn(form.getValues(name)).filter((one) => one !== gone))
          remove({ id: gone })
        }}
      />
      <Earlier
        ids={ids}
        onAdd={(id) => change([...ids, id])}
        onRemove={async (id) => remove.submit({ id })}
      />
      {receipts.some(({ restricted }) => restricted) && (
        <p className="mt-2 text-ui text-soft">
          Restricted: HR decides without seeing it. If a reviewer opens it, you are notified who it
          was, and why.
        </p>
      )}
      <FieldWarning name={name} text={warning} />
      <Fault id={id} text={fault} />
      <LargeReceipt receipts={receipts} id={large} onId={setLarge} />
      <BlackOut
        receipt={receipts.find((one) => one.id === blacking)}
        onClose={() => setBlacking(undefined)}
      />
    </div>
  )
}

/** Submitting an incomplete form waits until the receipts are read: they may say what is missing. */
function useReported(receipts: readonly Receipt[]) {
  const id = useId()
  const form = use(FormUploadsContext)
  const reading = receipts.filter(isWaiting).length
  useEffect(() => form?.report(id, { running: 0, refused: 0, reading }), [form, id, reading])
  useEffect(() => () => form?.forget(id), [form, id])
}

/** A draft may be older than its receipts: those no longer there are dropped, with a notice. */
function useDropped(gone: readonly string[], drop: (ids: string[]) => void) {
  const left_out = gone.join(',')
  const begin = useEffectEvent((ids: string[]) => {
    drop(ids)
    toast('A receipt you had added is no longer there. Add it again if it is needed', 'notice')
  })
  useEffect(() => {
    if (left_out) begin(idsIn(left_out))
  }, [left_out])
}

type EarlierProps = {
  ids: readonly string[]
  onAdd: (id: string) => void
  onRemove: (id: string) => Promise<unknown>
}

/** Receipts uploaded for a claim that was never sent, here or on another device, to be used or deleted. */
function Earlier({ ids, onAdd, onRemove }: EarlierProps) {
  const loose = useRead(receipts_api.list, {}, { quiet: true })
  // Receipts uploaded since this moment are in the form itself.
  const [opened] = useState(() => Date.now())
  const [deleting, setDeleting] = useState<Receipt>()
  const shown = loose?.filter(
    ({ id, created_at }) => Date.parse(created_at) < opened && !ids.includes(id),
  )
  if (!shown?.length) return null
  const full = ids.length >= receipt_limits.each_claim
  return (
    <section aria-label="Uploaded earlier" className="mt-2 flex flex-col gap-2">
      <h4 className="text-ui font-medium text-soft">Uploaded earlier, not on a claim yet</h4>
      <ul className="flex max-h-64 flex-col gap-2 overflow-y-auto">
        {shown.map((receipt) => (
          <li
            key={receipt.id}
            className="flex min-w-0 items-center gap-2 rounded-card border border-line p-2 text-sm"
          >
            <span className="size-9 shrink-0 overflow-hidden rounded-md bg-sunken">
              {pictureOf(receipt)}
            </span>
            <span className="min-w-0 flex-1 truncate">{receipt.file_name}</span>
            <Button
              size="small"
              aria-label={`Add ${receipt.file_name}`}
              disabled={full}
              onClick={() => onAdd(receipt.id)}
            >
              Add
            </Button>
            <IconButton
              size="small"
              label={`Delete ${receipt.file_name}`}
              icon={Trash2}
              onClick={() => setDeleting(receipt)}
            />
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={deleting !== undefined}
        onClose={() => setDeleting(undefined)}
        title={`Delete ${deleting?.file_name ?? ''}?`}
        description="The file is deleted permanently."
        does="Delete"
        act={async () => deleting && onRemove(deleting.id)}
      />
    </section>
  )
}

const pictureOf = ({ id, blacked_times }: Receipt) => (
  <AuthImage
    key={blacked_times}
    small
    call={receipts_api.thumbnail}
    input={{ id, size: 'small' as const }}
    alt=""
    className="size-full object-cover object-top"
  />
)

const sendReceipt: SendFile<Receipt> = async (file, options) => {
  const file_name = file.name.slice(-200) || 'receipt'
  const receipt = await receipts_api.upload({ file_name }, { file, ...options })
  queries.setQueryData([receipts_api.find.key, { id: receipt.id }], receipt)
  return receipt
}

type ReceiptActions = { enlarge: (id: string) => void; blackOut: (id: string) => void }

const keptOf = (
  id: string,
  receipts: readonly Receipt[],
  { enlarge, blackOut }: ReceiptActions,
) => {
  const receipt = receipts.find((one) => one.id === id)
  return {
    id,
    name: receipt?.file_name ?? 'Receipt',
    note: receipt && <Note receipt={receipt} onBlackOut={() => blackOut(id)} />,
    picture: receipt && (
      <button
        type="button"
        aria-label={`Look at ${receipt.file_name}`}
        onClick={() => enlarge(id)}
        className="size-full cursor-zoom-in"
      >
        {pictureOf(receipt)}
      </button>
    ),
  }
}

type LargeProps = {
  receipts: readonly Receipt[]
  id: string | undefined
  onId: (id: string | undefined) => void
}

const LargeReceipt = ({ receipts, id, onId }: LargeProps) => (
  <Dialog wide open={id !== undefined} onClose={() => onId(undefined)} title="Receipt">
    <ReceiptViewer
      receipts={receipts}
      at={receipts.findIndex((one) => one.id === id)}
      onAt={(at) => onId(receipts[at]?.id)}
      is_own
      className="h-[70dvh]"
    />
  </Dialog>
)

function Note({ receipt, onBlackOut }: { receipt: Receipt; onBlackOut: () => void }) {
  const { file_name, blacked_times, refusals } = receipt
  return (
    <>
      <Reading receipt={receipt} />
      <div className="flex flex-wrap items-center gap-x-4">
        {blacked_times > 0 && <span>Parts blacked out by you</span>}
        {refusals.black_out !== 'receipt_in_claim' && (
          <Button
            size="small"
            variant="quiet"
            className="-ml-2.5"
            aria-label={`Black out parts of ${file_name}`}
            icon={<Square className="size-3.5 fill-current" aria-hidden />}
            onClick={onBlackOut}
          >
            Black out parts
          </Button>
        )}
      </div>
    </>
  )
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
  if (found === '' && receipt.blacked_reads.length > 0) return null
  if (found === '')
    return <span className="text-pretty">It could not be read. Please type what it says.</span>
  return (
    <span className="flex items-start gap-1.5">
      <ScanText className="mt-0.5 size-3.5 shrink-0 text-primary-ink" aria-hidden />
      <span className="min-w-0 wrap-anywhere">{found}</span>
    </span>
  )
}

const whatWasRead = ({ read_amount_cents, read_currency, read_on, read_provider }: Receipt) =>
  [
    read_amount_cents !== null && read_currency ? money(read_amount_cents, read_currency) : '',
    read_on ? dateText(read_on) : '',
    read_provider ?? '',
  ]
    .filter(Boolean)
    .join(' · ')
