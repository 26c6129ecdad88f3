import { useState } from 'react'
import { AddEmployee, type Tab } from './AddEmployee.tsx'

/** The ways to add people, away from their list. */
export function AddFirst({ onClose }: { onClose: () => void }) {
  const [tab, setTab] = useState<Tab>('Single')
  return <AddEmployee tab={tab} onTab={setTab} onClose={onClose} />
}
