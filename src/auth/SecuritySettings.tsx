import { AddressCard } from './AddressCard.tsx'
import { PasswordCard } from './PasswordCard.tsx'
import { TwoStepCard } from './TwoStepCard.tsx'

/** The part of Settings that is about the account itself. */
export function SecuritySettings() {
  return (
    <>
      <AddressCard />
      <PasswordCard />
      <TwoStepCard />
    </>
  )
}
