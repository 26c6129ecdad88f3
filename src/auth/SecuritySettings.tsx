import { PasswordCard } from './PasswordCard.tsx'

/** What of Settings is the account's own affair. */
export function SecuritySettings() {
  return (
    <>
      <PasswordCard />
    </>
  )
}
