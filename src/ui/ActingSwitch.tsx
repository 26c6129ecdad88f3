import { useId, useState } from 'react'
import { showFailure } from './failure.ts'
import { Skeleton } from './Skeleton.tsx'
import { Toggle } from './ToggleField.tsx'

type Props = {
  label: string
  hint: string
  /** Nothing while it is not known yet. */
  on: boolean | undefined
  disabled?: boolean
  press: (on: boolean) => Promise<unknown>
}

/** A switch with its words that acts at once, without a form. */
export function ActingSwitch({ label, hint, on, disabled = false, press }: Props) {
  const id = useId()
  const [pressed, setPressed] = useState<boolean>()
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <p id={id} className="text-sm font-medium">
          {label}
        </p>
        <p id={`${id}-hint`} className="mt-0.5 text-ui text-pretty text-soft">
          {hint}
        </p>
      </div>
      {on === undefined ? (
        <Skeleton className="h-6 w-10 shrink-0 rounded-full" />
      ) : (
        <Toggle
          aria-labelledby={id}
          aria-describedby={`${id}-hint`}
          checked={pressed ?? on}
          disabled={disabled}
          onCheckedChange={(checked) => {
            setPressed(checked)
            // A failure is shown by a toast, and the switch goes back to its state.
            void press(checked)
              .catch(showFailure)
              .finally(() => setPressed(undefined))
          }}
        />
      )}
    </div>
  )
}
