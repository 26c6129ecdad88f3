import type { LucideIcon } from 'lucide-react'
import { isValidElement, type ReactElement } from 'react'

/** A component is drawn in the size of a button's text; an element, of another size or colour, stays as it is. */
export type Icon = LucideIcon | ReactElement

export function drawn(Icon: Icon | undefined) {
  if (!Icon || isValidElement(Icon)) return Icon
  return <Icon className="size-4" aria-hidden />
}
