import { useState } from 'react'
import { z } from 'zod'
import { api } from '#api.ts'
import { Problem } from '#problems.ts'
import { refusals, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Form, SubmitButton } from '#ui/Form.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { ProfileChange, type Profile } from './settings.contract.ts'

const Fields = ProfileChange.omit({ version: true }).extend({ email: z.string().optional() })

/** Holds the profile as it was when the page opened, so that what HR changes meanwhile is noticed. */
export function ProfileCard({ profile }: { profile: Profile | undefined }) {
  const [opened, setOpened] = useState(profile)
  const [theirs, setTheirs] = useState<Profile>()
  const change = useWrite(api.settings.change_profile, 'Profile saved')
  if (!opened) return <Skeleton className="h-60 w-full" />

  const take = (saved: Profile) => {
    setTheirs(undefined)
    setOpened(saved)
    // The name stands around the page, too.
    refusals.dispatchEvent(new Event('person_changed'))
  }
  const submit = async ({ full_name, phone, department }: z.output<typeof Fields>) => {
    try {
      const { version } = theirs ?? opened
      take(await change.submit({ full_name, phone, department, version }))
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'changed_meanwhile') throw error
      setTheirs(await api.settings.profile({}))
    }
  }
  const { full_name, email, phone, department, version } = opened
  return (
    <Form
      key={version}
      name={`profile-${version}`}
      shape={Fields}
      defaults={{
        full_name,
        email,
        ...(phone ? { phone } : {}),
        ...(department ? { department } : {}),
      }}
      onSubmit={submit}
    >
      {theirs && <ChangedMeanwhile theirs={theirs} onTheirs={() => take(theirs)} />}
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="full_name" label="Full Name" autoComplete="name" required />
        <TextField name="email" label="Email" type="email" autoComplete="email" readOnly />
        <TextField name="phone" label="Phone" type="tel" autoComplete="tel" />
        <TextField name="department" label="Department" autoComplete="off" />
      </div>
      <div className="flex justify-end">
        <SubmitButton waiting="Saving...">Save Changes</SubmitButton>
      </div>
    </Form>
  )
}

type Meanwhile = { theirs: Profile; onTheirs: () => void }

const ChangedMeanwhile = ({ theirs, onTheirs }: Meanwhile) => (
  <Callout
    tone="accent"
    title="Somebody else changed this meanwhile"
    action={
      <Button size="small" onClick={onTheirs}>
        Keep theirs
      </Button>
    }
  >
    Now it is {theirs.full_name}, {theirs.phone ?? 'no phone'},{' '}
    {theirs.department ?? 'no department'}. Save again to replace that with yours.
  </Callout>
)
