import { useRead } from '#ui/ask.ts'
import { CopyButton } from '#ui/CopyButton.tsx'
import { connections_api } from '../api.ts'

/** The address that the identity provider calls; there it is the tenant URL, or the connector's base URL. */
export function BaseAddress() {
  const address = useRead(connections_api.scim.overview, {})?.base_address ?? ''
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 text-sm">
        <p className="font-medium">Base address</p>
        <p className="mt-1 font-mono wrap-anywhere text-soft select-all">{address}</p>
      </div>
      <CopyButton text={address} label="Copy address" />
    </div>
  )
}
