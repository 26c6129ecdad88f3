import { clsx } from 'clsx'
import { Camera, FileText, Upload, X } from 'lucide-react'
import { use, useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react'
import { Progress } from './Bar.tsx'
import { buttonStyles, IconButton } from './Button.tsx'
import { useDropped } from './dropped.ts'
import { FormUploadsContext } from './form-uploads.ts'
import { useUploads, type Sending, type SendFile } from './uploads.ts'

type KeptFile = {
  id: string
  name: string
  /** A line under the name: its size, what was read from it. */
  note?: ReactNode
  /** The file's picture; else a sheet of paper. */
  picture?: ReactNode
}

type Props<T> = {
  /** The label: 'Receipts'. */
  label: string
  hint: string
  /** Media types for the file chooser, separated by commas. */
  accept: string
  most: number
  largest_bytes: number
  /** The files already there, in the order they came. */
  kept: readonly KeptFile[]
  /** Files chosen before this was on screen, uploaded at once. */
  first?: readonly File[] | undefined
  send: SendFile<T>
  onKept: (kept: T) => void
  onRemove: (id: string) => void
}

/** Files by choosing, dragging, pasting or the phone's camera; each with its progress or its refusal. */
export function FileDrop<T>(props: Props<T>) {
  const { label, kept, most, largest_bytes, send, onKept, onRemove } = props
  const id = useId()
  const uploads = useUploads({ send, onKept, kept: kept.length, most, largest_bytes })
  const zone = useRef<HTMLDivElement>(null)
  const over = useDropped(zone, uploads.add)
  useFirst(props.first, uploads.add)
  usePasted(uploads.add)
  useReported(id, uploads.sending)
  const refused = uploads.sending.filter(({ fault }) => fault)
  const begun = kept.length + uploads.sending.length > 0
  return (
    <section aria-labelledby={`${id}-label`} ref={zone} className="flex min-w-0 flex-col gap-3">
      <h3 id={`${id}-label`} className="text-sm font-medium">
        {label}
      </h3>
      <Zone {...props} id={id} over={over} begun={begun} onFiles={uploads.add} />
      {begun && (
        <ul aria-label={label} className="flex flex-col gap-2">
          {kept.map((file) => (
            <Kept key={file.id} file={file} onRemove={() => onRemove(file.id)} />
          ))}
          {uploads.sending.map((one) => (
            <OnItsWay
              key={one.key}
              one={one}
              onDrop={() => uploads.drop(one.key)}
              onRetry={() => uploads.retry(one.key)}
            />
          ))}
        </ul>
      )}
      <output className="sr-only">
        {kept.length > 0 && `${kept.length} of ${most} added. `}
        {refused.map(({ file, fault }) => `${file.name}: ${fault}. `)}
      </output>
    </section>
  )
}

type ZoneProps = Pick<Props<unknown>, 'accept' | 'hint' | 'most'> & {
  id: string
  over: boolean
  /** Files are there already, so the text is short. */
  begun: boolean
  onFiles: (files: File[]) => void
}

function Zone({ id, accept, hint, most, over, begun, onFiles }: ZoneProps) {
  const input = (kind: 'file' | 'camera') => (
    <input
      id={`${id}-${kind}`}
      type="file"
      accept={kind === 'camera' ? 'image/*' : accept}
      multiple={kind === 'file' && most > 1}
      {...(kind === 'camera' ? { capture: 'environment' as const } : {})}
      aria-describedby={`${id}-hint`}
      className="sr-only"
      onChange={(event) => {
        onFiles([...(event.target.files ?? [])])
        event.target.value = '' // the same file again, fixed, is a new choice
      }}
    />
  )
  const ring = 'has-focus-visible:outline-2 has-focus-visible:outline-primary'
  return (
    <div
      className={clsx(
        'flex flex-col items-center gap-3 rounded-card border border-dashed px-5 text-center',
        'transition-colors',
        begun ? 'py-3' : 'py-6',
        over ? 'border-primary bg-primary-wash' : 'border-edge/60 bg-sunken/40',
      )}
    >
      {!begun && (
        <Upload className={clsx('size-6', over ? 'text-primary' : 'text-faint')} aria-hidden />
      )}
      {(!begun || over) && (
        <p className="text-sm text-soft pointer-coarse:hidden" aria-hidden>
          {over ? 'Release to add them' : 'Drop files here, paste them, or'}
        </p>
      )}
      <div className="flex flex-wrap justify-center gap-2">
        <label className={clsx(buttonStyles({}), 'cursor-pointer hover:bg-sunken', ring)}>
          Choose files
          {input('file')}
        </label>
        <label
          className={clsx(
            buttonStyles({}),
            'cursor-pointer pointer-fine:hidden hover:bg-sunken',
            ring,
          )}
        >
          <Camera className="size-4" aria-hidden />
          Take a photo
          {input('camera')}
        </label>
      </div>
      <p
        id={`${id}-hint`}
        className={begun ? 'sr-only' : 'max-w-sm text-ui text-pretty text-faint'}
      >
        {hint}
      </p>
    </div>
  )
}

// Aligned at the top: a read value makes the line taller, and its picture must not move away under a finger.
const itemStyles = 'flex min-w-0 items-start gap-3 rounded-card border bg-surface p-2 pr-1.5'
const pictureStyles = clsx(
  'grid size-12 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-faint',
  '*:[img]:size-full *:[img]:object-cover',
)

function Kept({ file, onRemove }: { file: KeptFile; onRemove: () => void }) {
  return (
    <li className={clsx(itemStyles, 'border-line')}>
      <span className={pictureStyles}>
        {file.picture ?? <FileText className="size-5" aria-hidden />}
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{file.name}</p>
        {file.note && <div className="text-ui text-soft">{file.note}</div>}
      </div>
      <Remove name={file.name} onPress={onRemove} />
    </li>
  )
}

type OnItsWayProps = { one: Sending; onDrop: () => void; onRetry: () => void }

function OnItsWay({ one, onDrop, onRetry }: OnItsWayProps) {
  const { file, share, fault, may_retry } = one
  const percent = Math.round(share * 100)
  return (
    <li className={clsx(itemStyles, fault ? 'border-bad/40' : 'border-line')}>
      <span className={pictureStyles}>
        <LocalPicture file={file} />
      </span>
      <div className="min-w-0 flex-1">
        <p className="truncate text-sm font-medium">{file.name}</p>
        {fault ? (
          <p className="text-ui text-pretty text-bad-ink">
            {fault}
            {may_retry && (
              <>
                {'. '}
                <button
                  type="button"
                  className="font-medium text-ink underline underline-offset-2"
                  aria-label={`Try ${file.name} again`}
                  onClick={onRetry}
                >
                  Try again
                </button>
              </>
            )}
          </p>
        ) : (
          <div className="flex flex-col gap-1.5 pt-1">
            <Progress label={`Sending ${file.name}`} {...(share < 1 ? { percent } : {})} />
            <p className="figures text-xs text-faint">
              {share < 1 ? `${sizeOf(file.size)} · ${percent}%` : 'Checking the file...'}
            </p>
          </div>
        )}
      </div>
      <Remove name={file.name} onPress={onDrop} />
    </li>
  )
}

const Remove = ({ name, onPress }: { name: string; onPress: () => void }) => (
  <IconButton size="small" label={`Remove ${name}`} icon={X} onClick={onPress} />
)

/** A preview of a phone's photo before the server has seen it. */
function LocalPicture({ file }: { file: File }) {
  const [failed, setFailed] = useState(false)
  const shown = /^image\/(?:jpeg|png|webp)$/.test(file.type) && !failed
  if (!shown) return <FileText className="size-5" aria-hidden />
  const draw = (image: HTMLImageElement) => {
    const address = URL.createObjectURL(file)
    image.src = address
    return () => URL.revokeObjectURL(address)
  }
  return <img ref={draw} alt="" onError={() => setFailed(true)} />
}

export const sizeOf = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / 2 ** 20).toFixed(1)} MB`

/** Tells the form around it, which is not sent before its files are uploaded. */
function useReported(id: string, uploads: readonly Sending[]) {
  const form = use(FormUploadsContext)
  const refused = uploads.filter(({ fault }) => fault).length
  const running = uploads.length - refused
  useEffect(() => form?.report(id, { running, refused }), [form, id, running, refused])
  useEffect(() => () => form?.forget(id), [form, id])
}

function useFirst(first: readonly File[] | undefined, add: (files: readonly File[]) => void) {
  const taken = useRef<readonly File[]>(undefined)
  useEffect(() => {
    if (!first?.length || taken.current === first) return
    taken.current = first
    add(first)
  })
}

const takes_text =
  'textarea, [contenteditable], input:not([type=checkbox], [type=radio], [type=file])'

/** A cell copied from a spreadsheet is both text and a picture of it: in a field it is pasted as text. */
const isTextForField = ({ clipboardData, target }: ClipboardEvent) =>
  clipboardData?.types.includes('text/plain') &&
  target instanceof Element &&
  target.closest(takes_text)

/** A picture from the clipboard, wherever the focus is; text goes where it always does. */
function usePasted(onFiles: (files: File[]) => void) {
  const add = useEffectEvent(onFiles)
  useEffect(() => {
    const pasted = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0 || isTextForField(event)) return
      event.preventDefault()
      add(files)
    }
    addEventListener('paste', pasted)
    return () => removeEventListener('paste', pasted)
  }, [])
}
