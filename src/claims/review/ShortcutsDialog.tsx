import { clsx } from 'clsx'
import { useId } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { setShortcuts, useShortcutsOn } from '#ui/shortcuts.ts'
import { Toggle } from '#ui/ToggleField.tsx'

const keys = [
  ['j', 'Next claim'],
  ['k', 'Previous claim'],
  ['g', 'First claim of the list'],
  ['e', 'Other end of the list'],
  ['o', 'Open, or Enter'],
  ['a', 'Approve'],
  ['r', 'Reject'],
  ['i', 'Ask for information'],
  ['x', 'Select'],
  ['u', 'Back to the queue'],
  ['?', 'Show these shortcuts'],
] as const

const keyStyles = clsx(
  'grid h-6 min-w-6 place-items-center rounded-md border border-line bg-sunken px-1.5',
  'font-sans text-xs font-medium',
)

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const id = useId()
  const on = useShortcutsOn()
  return (
    <Dialog open={open} onClose={onClose} title="Review by keyboard">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        {keys.map(([key, does]) => (
          <div key={key} className="flex items-center justify-between gap-4">
            <dt className="order-last">
              <kbd className={keyStyles}>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-6 flex items-start justify-between gap-6 border-t border-line pt-5">
        <div className="min-w-0">
          <p id={id} className="text-sm font-medium">
            Single-key shortcuts
          </p>
          <p className="mt-0.5 text-ui text-faint">
            They do nothing while you type. With them off, everything still works with Tab and
            Enter.
          </p>
        </div>
        <Toggle aria-labelledby={id} checked={on} onCheckedChange={setShortcuts} />
      </div>
    </Dialog>
  )
}
