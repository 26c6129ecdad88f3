import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { isValidElement, type ReactElement } from 'react'

/** A component is drawn in the size of a button's text; an element, of another size or colour, stays as it is. */
export type Icon = LucideIcon | ReactElement

export function drawn(Icon: Icon | undefined, faint = false) {
  if (!Icon || isValidElement(Icon)) return Icon
  return <Icon className={clsx('size-4', faint && 'text-faint')} aria-hidden />
}
