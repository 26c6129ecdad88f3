import { clsx } from 'clsx'
import { Popover } from 'radix-ui'
import type { ReactNode, RefObject } from 'react'
import { Option } from './Option.tsx'
import type { PickChoice } from './PickField.tsx'

type Props = {
  id: string
  anchor: RefObject<HTMLInputElement | null>
  choices: readonly PickChoice[]
  /** The one that Enter takes. */
  at: number
  onPick: (choice: PickChoice) => void
  onClose: () => void
}

/** The matches, under the field in which one types: the keyboard focus stays there. */
export default function PickList({ id, anchor, choices, at, onPick, onClose }: Props): ReactNode {
  return (
    <Popover.Root open onOpenChange={onClose}>
      <Popover.Anchor virtualRef={anchor} />
      <Popover.Portal>
        <Popover.Content
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the platform's list can't be styled
          role={choices.length > 0 ? 'listbox' : 'status'}
          id={id}
          aria-label={choices.length > 0 ? 'Matches' : undefined}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          onInteractOutside={(event) => {
            if (event.target === anchor.current) event.preventDefault()
          }}
          className={styles}
        >
          {choices.length === 0 && <p className="px-2.5 py-1.5 text-soft">No match</p>}
          {choices.map((choice, place) => (
            <Option
              key={choice.id}
              id={`${id}-${place}`}
              title={choice.name}
              note={choice.note}
              chosen={place === at}
              onPick={() => onPick(choice)}
            />
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

const styles = clsx(
  'z-70 max-w-[calc(100vw-1rem)] min-w-(--radix-popover-trigger-width) animate-appear',
  'rounded-card bg-raised p-1 text-sm shadow-raised',
)
