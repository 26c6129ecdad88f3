import { clsx } from 'clsx'
import { markedParts } from './marked.ts'

type Props = {
  id: string
  title: string
  note?: string | null | undefined
  /** Marked where it stands in them. */
  typed?: string
  /** The one that Enter takes. */
  chosen: boolean
  onPick: () => void
}

/** A suggestion for the text typed in a field above, which keeps the focus. */
export const Option = ({ id, title, note, typed = '', chosen, onPick }: Props) => (
  <button
    id={id}
    type="button"
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the platform's list can't be styled
    role="option"
    tabIndex={-1}
    aria-selected={chosen}
    // The field keeps the keyboard.
    onPointerDown={(event) => event.preventDefault()}
    onClick={onPick}
    className={clsx(
      'block w-full rounded-md px-2.5 py-1.5 text-left text-sm wrap-anywhere hover:bg-sunken',
      chosen && 'bg-primary-wash text-primary-ink',
    )}
  >
    <Marked text={title} typed={typed} />
    {note && (
      <span className="block text-ui text-soft">
        <Marked text={note} typed={typed} />
      </span>
    )}
  </button>
)

const Marked = ({ text, typed }: { text: string; typed: string }) =>
  typed.trim()
    ? markedParts(text, typed).map((part, at) =>
        part.hit ? (
          <mark key={at} className="bg-transparent font-semibold text-primary-ink">
            {part.text}
          </mark>
        ) : (
          part.text
        ),
      )
    : text
