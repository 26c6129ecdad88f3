import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { CopyButton } from '#ui/CopyButton.tsx'
import { useKeepOpen } from '#ui/Dialog.tsx'

/** Shown once, to be put where it is used. */
export function SecretOnce({ secret, onDone }: { secret: string; onDone: () => void }) {
  useKeepOpen()
  return (
    <div className="flex flex-col gap-5">
      <Callout tone="accent" title="Copy it now">
        It is shown only once. Keep it where your system keeps its secrets, never in an email.
      </Callout>
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-card border border-line bg-sunken px-4 py-3">
        <output className="min-w-0 font-mono text-sm wrap-anywhere select-all">{secret}</output>
        <CopyButton text={secret} />
      </div>
      <div className="flex justify-end">
        <Button variant="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
