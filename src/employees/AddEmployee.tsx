import { useState } from 'react'
import { Dialog } from '#ui/Dialog.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { toast } from '#ui/toast.ts'
import { AddSingle } from './AddSingle.tsx'
import { BulkUpload } from './BulkUpload.tsx'
import { DomainRegistration } from './DomainRegistration.tsx'

export const tabs = ['Single', 'Bulk Upload', 'Domain'] as const
export type Tab = (typeof tabs)[number]
type Props = { tab: Tab | undefined; onTab: (tab: Tab) => void; onClose: () => void }

export function AddEmployee({ tab, onTab, onClose }: Props) {
  const [added, setAdded] = useState(false)
  const close = () => {
    if (added) toast('Employee list updated', 'notice')
    setAdded(false)
    onClose()
  }
  return (
    <Dialog open={tab !== undefined} onClose={close} title="Add Employee" wide>
      <Tabs
        label="Ways to add"
        shown={tab ?? 'Single'}
        onShow={(title) => onTab(title as Tab)}
        tabs={{
          Single: <AddSingle onAdded={() => setAdded(true)} onDone={close} />,
          'Bulk Upload': <BulkUpload />,
          Domain: <DomainRegistration />,
        }}
      />
    </Dialog>
  )
}
