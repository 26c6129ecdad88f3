import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { toast } from '#ui/toast.ts'
import { AddSingle, InitialPassword, type AddedEmployee } from './AddSingle.tsx'
import { BulkUpload } from '#employees/imports/BulkUpload.tsx'
import { DomainRegistration } from '#employees/joining/DomainRegistration.tsx'

export const tabs = ['Single', 'Bulk Upload', 'Domain'] as const
type Tab = (typeof tabs)[number]
type Props = { tab: Tab | undefined; onTab: (tab: Tab) => void; onClose: () => void }

export function AddEmployee({ tab, onTab, onClose }: Props) {
  const [made, setMade] = useState<AddedEmployee>()
  const close = () => {
    if (made) toast('Employee list updated', 'notice')
    setMade(undefined)
    onClose()
  }
  if (made?.initial_password) {
    return (
      <Dialog open onClose={close} title="Add Employee" wide>
        <InitialPassword made={made} password={made.initial_password} onDone={close} />
      </Dialog>
    )
  }
  return (
    <Dialog open={tab !== undefined} onClose={close} title="Add Employee" wide>
      <Tabs
        label="Ways to add"
        shown={tab ?? 'Single'}
        onShow={(title) => onTab(title as Tab)}
        tabs={{
          Single: (
            <AddSingle onAdded={(done) => (done.initial_password ? setMade(done) : onClose())} />
          ),
          'Bulk Upload': <BulkUpload />,
          Domain: <DomainRegistration />,
        }}
      />
    </Dialog>
  )
}

/** The same form in a sheet, away from the list of employees. */
export function AddFirst({ onClose }: { onClose: () => void }) {
  const [tab, setTab] = useState<Tab>('Single')
  return <AddEmployee tab={tab} onTab={setTab} onClose={onClose} />
}
