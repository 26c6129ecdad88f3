import { CopyButton } from '#ui/CopyButton.tsx'

/** The address that the identity provider calls; there it is the tenant URL, or the connector's base URL. */
export function BaseAddress() {
  const address = `${window.location.origin}/scim/v2`
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
