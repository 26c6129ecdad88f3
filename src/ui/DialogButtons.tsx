import { clsx } from 'clsx'
import type { ReactNode } from 'react'

/** The buttons of a form in a dialog or sheet, the main one last: in sight however long the form is. */
export const DialogButtons = ({ children }: { children: ReactNode }) => (
  <div className={styles}>{children}</div>
)

// The panel's own padding counts for what sticks, so it is subtracted.
const styles = clsx(
  'sticky -bottom-6 z-10 -mx-6 -mb-6 flex flex-wrap justify-end gap-2',
  'border-t border-line bg-raised px-6 py-3 sm:rounded-b-2xl',
)
