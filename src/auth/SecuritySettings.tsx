import { AddressCard } from './AddressCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { TwoStepCard } from './TwoStepCard.tsx'

/** What of Settings is the account's own affair. */
export function SecuritySettings() {
  return (
    <>
      <AddressCard />
      <PasswordCard />
      <TwoStepCard />
    </>
  )
}
