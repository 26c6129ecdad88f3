import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'react-router'
import { problems, type ProblemCode } from '#problems.ts'
import { drawn, type Icon } from './icon.tsx'
import { Spinner } from './Spinner.tsx'
import { Tooltip } from './Tooltip.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
type Size = 'small' | 'medium' | 'large'
type Appearance = {
  variant?: Variant | undefined
  size?: Size | undefined
  wide?: boolean | undefined
  icon?: Icon
}

type Props = Appearance &
  Omit<ComponentProps<'button'>, 'disabled'> & {
    /** The icon is grey: the button leads to a filter or a file. */
    faint?: boolean
    loading?: boolean
    disabled?: boolean
    /** The refusal of the act: the button is grey and says why. */
    unless?: ProblemCode | null | undefined
  }

const variants: Record<Variant, string> = {
  primary:
    'border-transparent bg-primary text-on-primary shadow-card ' +
    'not-aria-disabled:hover:bg-primary-strong',
  secondary: 'bg-surface text-ink border-line shadow-card not-aria-disabled:hover:bg-sunken',
  quiet:
    'border-transparent text-soft ' +
    'not-aria-disabled:hover:bg-sunken not-aria-disabled:hover:text-ink',
  danger: 'bg-bad text-on-bad border-transparent shadow-card not-aria-disabled:hover:bg-bad-strong',
}

const sizes: Record<Size, string> = {
  small: 'h-8 px-2.5 text-ui gap-1.5',
  medium: 'h-9 px-3.5 text-sm gap-2',
  large: 'h-11 px-5 text-base gap-2',
}

export function buttonStyles({ variant = 'secondary', size = 'medium', wide }: Appearance) {
  return clsx(
    'relative inline-flex shrink-0 items-center justify-center rounded-control border',
    'font-medium whitespace-nowrap transition-colors select-none',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    // Buttons are not printed.
    'print:hidden',
    variants[variant],
    sizes[size],
    wide && 'w-full',
  )
}

export function Button(props: Props) {
  const { variant, size, wide, icon, faint, children, className, ...acts } = props
  const { loading, disabled, unless, ...rest } = acts
  const off = Boolean(loading || disabled || unless)
  const button = (
    <button
      type="button"
      {...rest}
      // A `disabled` button would leave the tab order and could not say why.
      aria-disabled={off || undefined}
      aria-busy={loading || undefined}
      onClick={off ? (event) => event.preventDefault() : rest.onClick}
      className={clsx(buttonStyles({ variant, size, wide }), className)}
    >
      {loading ? <Spinner className="size-4" /> : drawn(icon, faint)}
      {children}
    </button>
  )
  return unless ? <Tooltip text={problems[unless][1]}>{button}</Tooltip> : button
}

type LinkProps = Appearance & {
  to: string
  state?: unknown
  children: ReactNode
  className?: string
  onClick?: () => void
}

/** Looks like a button, is a link: it goes somewhere and changes nothing. */
export function ButtonLink(props: LinkProps) {
  const { to, state, children, icon, className, onClick, ...rest } = props
  return (
    <Link to={to} state={state} onClick={onClick} className={clsx(buttonStyles(rest), className)}>
      {drawn(icon)}
      {children}
    </Link>
  )
}

type IconProps = Omit<Props, 'icon' | 'children' | 'wide'> & { label: string; icon: Icon }

/** A button that is only an icon: its name is shown on hover and read aloud. */
export function IconButton({ label, size = 'medium', ...rest }: IconProps) {
  const button = (
    <Button
      variant="quiet"
      {...rest}
      aria-label={label}
      size={size}
      className={clsx(size === 'small' ? 'w-8 px-0!' : 'w-9 px-0!', rest.className)}
    />
  )
  return rest.unless ? (
    button
  ) : (
    <Tooltip names text={label}>
      {button}
    </Tooltip>
  )
}
