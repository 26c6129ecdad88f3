import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { DropdownMenu as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { problems, type ProblemCode } from '#problems.ts'
import { drawn, type Icon } from './icon.tsx'

type Props = {
  trigger: ReactNode
  align?: 'start' | 'end'
  label: string
  /** Is open as soon as it is there. */
  opens?: boolean
  children: ReactNode
}

const panel = clsx(
  'z-70 max-h-(--radix-dropdown-menu-content-available-height) min-w-52 animate-appear',
  'overflow-y-auto rounded-card bg-raised p-1.5 shadow-raised',
)

/** `trigger` is one focusable control, such as a Button. */
export function Menu({ trigger, align = 'end', label, opens = false, children }: Props) {
  return (
    // A menu that is not modal leaves the page readable for screen readers, and scrollable.
    <Radix.Root modal={false} defaultOpen={opens}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={6}
          collisionPadding={12}
          className={panel}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

const row = clsx(
  'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 py-1.5 text-sm outline-none select-none',
  'data-disabled:opacity-50 data-highlighted:bg-sunken',
)

type ItemProps = {
  onSelect: () => void
  icon?: Icon
  danger?: boolean
  unless?: ProblemCode | undefined
  children: ReactNode
}

export function MenuItem({ onSelect, icon, danger, unless, children }: ItemProps) {
  return (
    <Radix.Item
      onSelect={onSelect}
      disabled={Boolean(unless)}
      className={clsx(row, danger && 'text-bad-ink')}
    >
      {drawn(icon)}
      <span className="min-w-0">
        {children}
        {unless && <span className="block text-xs text-soft">{problems[unless][1]}</span>}
      </span>
    </Radix.Item>
  )
}

type LinkProps = { to: string; icon?: ReactNode; children: ReactNode }

export const MenuLink = ({ to, icon, children }: LinkProps) => (
  <Radix.Item asChild>
    <Link to={to} className={clsx(row, '*:[svg]:size-4')}>
      {icon}
      {children}
    </Link>
  </Radix.Item>
)

type ChoiceProps<Value extends string> = {
  label: string
  value: Value
  options: Readonly<Record<Value, string>>
  onChange: (value: Value) => void
}

export function MenuChoice<Value extends string>(props: ChoiceProps<Value>) {
  return (
    <Radix.RadioGroup
      aria-label={props.label}
      value={props.value}
      onValueChange={(value) => props.onChange(value as Value)}
    >
      <Radix.Label className="px-2.5 pt-2 pb-1 text-xs font-medium text-faint">
        {props.label}
      </Radix.Label>
      {Object.entries<string>(props.options).map(([value, text]) => (
        <Radix.RadioItem key={value} value={value} className={row}>
          <span className="flex-1">{text}</span>
          <Radix.ItemIndicator>
            <Check className="size-4 text-primary" aria-hidden />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  )
}

export const MenuLine = () => <Radix.Separator className="-mx-1.5 my-1.5 h-px bg-line" />

export const MenuText = ({ children }: { children: ReactNode }) => (
  <div className="px-2.5 py-2 text-sm">{children}</div>
)
