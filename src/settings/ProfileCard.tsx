import { z } from 'zod'
import { problems } from '#problems.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { refusals, useWrite } from '#ui/ask.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import { TextField } from '#ui/TextField.tsx'
import { VersionedForm } from '#ui/VersionedForm.tsx'
import { ProfileChange, type Profile } from './settings.contract.ts'

const ProfileFields = ProfileChange.omit({ version: true }).extend({ email: z.string().optional() })
const labels = { full_name: 'Full Name', email: 'Email', phone: 'Phone', department: 'Department' }

export function ProfileCard({ profile }: { profile: Profile | undefined }) {
  const change = useWrite(lazy_api.settings.change_profile, 'Profile saved')
  if (!profile) return <Skeleton className="h-60 w-full" />
  const fixed = profile.refusals.department
  return (
    <VersionedForm
      name="profile"
      shape={ProfileFields}
      record={profile}
      fieldsOf={({ full_name, email, phone, department }) => ({
        full_name,
        email,
        phone: phone ?? '',
        department: department ?? '',
      })}
      labels={labels}
      save={({ full_name, phone, department }, version) =>
        change.submit({ full_name, phone, department, version })
      }
      find={() => lazy_api.settings.profile({})}
      // The shell shows the name, too.
      onSaved={() => refusals.dispatchEvent(new Event('person_changed'))}
    >
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="full_name" label="Full Name" autoComplete="name" required />
        <TextField name="email" label="Email" type="email" autoComplete="email" readOnly />
        <TextField name="phone" label="Phone" type="tel" autoComplete="tel" />
        <TextField
          name="department"
          label="Department"
          autoComplete="off"
          readOnly={fixed !== null}
          hint={fixed && problems[fixed][1]}
        />
      </div>
    </VersionedForm>
  )
}
