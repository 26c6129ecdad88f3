import { clsx } from 'clsx'
import { problems, type ProblemCode } from '#problems.ts'
import { Tooltip } from './Tooltip.tsx'

type Props = {
  label: string
  checked: boolean
  onChange: () => void
  /** Why it can't be chosen: it is grey and says why. */
  unless?: ProblemCode | null | undefined
  className?: string
}

/** Chooses a row among others, without a form. */
export function Checkbox({ label, checked, onChange, unless, className }: Props) {
  const box = (
    <input
      type="checkbox"
      aria-label={label}
      // A `disabled` checkbox would leave the tab order and could not say why.
      aria-disabled={unless ? true : undefined}
      checked={checked}
      onChange={() => !unless && onChange()}
      className={clsx(
        'size-4.5 accent-primary aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
        className,
      )}
    />
  )
  return unless ? <Tooltip text={problems[unless][1]}>{box}</Tooltip> : box
}
