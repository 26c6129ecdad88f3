import { HeartHandshake } from 'lucide-react'
import { useState } from 'react'
import { api } from '#api/api.ts'
import { dependents, type CoverRules } from '#dependents/dependents.contract.ts'
import { ActingSwitch } from '#ui/ActingSwitch.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { Form, FormButtons } from '#ui/Form.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'

/** The company's rules for its people's dependents. */
export function FamilyRules() {
  const [open, setOpen] = useState(false)
  const rules = useRead(api.dependents.rules, open ? {} : undefined)
  return (
    <>
      <Button icon={HeartHandshake} faint onClick={() => setOpen(true)}>
        Family cover
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Family cover"
        description="Which family members your people’s Solidarity money is for."
      >
        {rules ? (
          <div className="flex flex-col gap-6">
            <Approval rules={rules} />
            <ChildAge rules={rules} />
          </div>
        ) : (
          <Skeleton className="h-40 w-full" />
        )}
      </Dialog>
    </>
  )
}

function Approval({ rules }: { rules: CoverRules }) {
  const set = useWrite(api.dependents.set_approval, ({ approval_needed }) =>
    approval_needed ? 'You approve new dependents' : 'New dependents are covered at once',
  )
  return (
    <ActingSwitch
      label="HR approves dependents"
      hint="New dependents wait for you on this page before they are covered. Those already covered stay covered."
      on={rules.approval_needed}
      press={(needed) => set.submit({ needed })}
    />
  )
}

const Age = dependents.set_child_age.input

function ChildAge({ rules }: { rules: CoverRules }) {
  const set = useWrite(api.dependents.set_child_age, 'Saved')
  return (
    <Form
      name="family-child-age"
      shape={Age}
      defaults={{ child_age: rules.child_age }}
      onSubmit={(values) => set.submit(values)}
    >
      <TextField
        name="child_age"
        label="Children are covered until the age of"
        type="number"
        inputMode="numeric"
        hint="Cover ends with the month of that birthday. Parents are notified 90, 60 and 30 days before."
        required
      />
      <FormButtons waiting="Saving...">Save age</FormButtons>
    </Form>
  )
}
