import { clsx } from 'clsx'
import { Popover } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import type { Choice } from './PickField.tsx'

type Props = {
  id: string
  beside: RefObject<HTMLInputElement | null>
  choices: readonly Choice[]
  /** The one that Enter takes. */
  at: number
  onPick: (choice: Choice) => void
  onClose: () => void
}

/** What fits, under the field in which it is typed: there the keyboard stays. */
export default function PickList({ id, beside, choices, at, onPick, onClose }: Props): ReactNode {
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={beside} />
      <Popover.Portal>
        <Popover.Content
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the platform's list can't be styled
          role="listbox"
          id={id}
          aria-label="Matches"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target === beside.current) event.preventDefault()
          }}
          className={look}
        >
          {choices.map((choice, place) => (
            <button
              key={choice.id}
              id={`${id}-${place}`}
              type="button"
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
              role="option"
              tabIndex={-1}
              aria-selected={place === at}
              // The field keeps the keyboard.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onPick(choice)}
              className={clsx(
                'block w-full rounded-md px-2.5 py-1.5 text-left wrap-anywhere hover:bg-sunken',
                place === at && 'bg-primary-wash text-primary-ink',
              )}
            >
              {choice.name}
              {choice.note && <span className="block text-ui text-soft">{choice.note}</span>}
            </button>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const look = clsx(
  'z-70 max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) animate-appear',
  'rounded-card bg-raised p-1 text-sm shadow-raised',
)
