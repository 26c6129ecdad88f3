import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import {
  createContext,
  use,
  useEffect,
  useState,
  type Dispatch,
  type ReactNode,
  type RefObject,
  type SetStateAction,
} from 'react'
import { useBackCloses } from './back-closes.ts'
import { Boundary } from './Boundary.tsx'
import { Button } from './Button.tsx'
import { Callout } from './Callout.tsx'
import { useFocusReturn } from './focus-return.ts'
import { toast } from './toast.ts'

type Props = {
  open: boolean
  onClose: () => void
  title: string
  description?: string
  /** The buttons, the main one last. A form brings its own. */
  actions?: ReactNode
  wide?: boolean
  /** A toast as it opens, where the specification asks for one. */
  opening?: string | undefined
  /** True once an act in it leads to another page. */
  leaves?: RefObject<boolean>
  /** Why there is nothing left to ask, if something changed while it was open. */
  moot?: string | undefined
  children?: ReactNode
}

const closeStyles = clsx(
  'absolute top-4 right-4 grid size-8 place-items-center rounded-control text-soft',
  'hover:bg-sunken hover:text-ink',
)
// The veil of a dialog is as high as the panel itself: it lies over the sheet it was opened from.
const veil = 'fixed inset-0 z-60 animate-appear bg-black/35'

export function Dialog(props: Props) {
  return (
    <Frame
      {...props}
      className={clsx(
        'fixed inset-x-0 bottom-0 max-h-[92dvh] animate-rise rounded-t-2xl',
        'sm:inset-x-auto sm:top-1/2 sm:bottom-auto sm:left-1/2 sm:w-full sm:-translate-1/2',
        'sm:rounded-2xl',
        props.wide ? 'sm:max-w-2xl' : 'sm:max-w-lg',
      )}
    />
  )
}

/** A panel from the right, for one thing of a list; the whole window on a phone. */
export function Sheet(props: Props) {
  return (
    <Frame
      {...props}
      className={clsx(
        'fixed inset-y-0 right-0 w-full animate-slide',
        // Wider still while something large is shown beside what is done.
        props.wide ? 'sm:max-w-3xl has-data-two-panes:xl:max-w-6xl' : 'sm:max-w-md',
      )}
    />
  )
}

/** Dismissing a toast above a dialog does not close the dialog, though the toast may be gone from the page by now. */
function keepForToasts(event: Event) {
  if ((event.target as Element | null)?.closest('[data-toast]')) event.preventDefault()
}

const refuse = (event: Event) => event.preventDefault()
const KeepOpenContext = createContext<Dispatch<SetStateAction<number>> | undefined>(undefined)

/**
 * Keeps a dialog open that shows something only once: Escape, Back or a press beside it don't close it, only its own button does.
 */
export function useKeepOpen() {
  const setKeptOpen = use(KeepOpenContext)
  useEffect(() => {
    setKeptOpen?.((others) => others + 1)
    return () => setKeptOpen?.((others) => others - 1)
  }, [setKeptOpen])
}

function Frame(props: Props & { className: string }) {
  const { moot, open, opening } = props
  const description = moot ? undefined : props.description
  const focus = useFocusReturn(props.leaves)
  const [kept_open, setKeptOpen] = useState(0)
  useBackCloses(open, props.onClose, kept_open > 0)
  useEffect(() => {
    if (open && opening) toast(opening, 'notice')
  }, [open, opening])
  return (
    <Radix.Root open={open} onOpenChange={(open) => (open ? undefined : props.onClose())}>
      <Radix.Portal>
        <Radix.Overlay className={veil} />
        <Radix.Content
          {...focus}
          {...(description ? {} : { 'aria-describedby': undefined })}
          onInteractOutside={kept_open ? refuse : keepForToasts}
          {...(kept_open ? { onEscapeKeyDown: refuse } : {})}
          className={clsx(
            'z-60 flex flex-col bg-raised shadow-raised outline-none',
            props.className,
          )}
        >
          <header className="px-6 pt-5 pb-3">
            <div className="min-w-0 pr-10">
              <Radix.Title className="text-base font-semibold wrap-anywhere">
                {props.title}
              </Radix.Title>
              {description && (
                <Radix.Description className="mt-1 text-sm text-soft">
                  {description}
                </Radix.Description>
              )}
            </div>
          </header>
          <div className="relative min-h-0 flex-1 overflow-y-auto px-6 pt-1 pb-6">
            <KeepOpenContext value={setKeptOpen}>
              {moot ? (
                <Callout tone="accent">{moot}</Callout>
              ) : (
                <Boundary>{props.children}</Boundary>
              )}
            </KeepOpenContext>
          </div>
          {(moot || props.actions) && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">
              {moot ? <Button onClick={props.onClose}>OK</Button> : props.actions}
            </footer>
          )}
          {/* Last, so that the first field has the focus; a tooltip would eat the first Escape. */}
          {!kept_open && (
            <Radix.Close aria-label="Close" className={closeStyles}>
              <X className="size-4" aria-hidden />
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
