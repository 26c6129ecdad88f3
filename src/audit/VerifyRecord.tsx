import { ShieldCheck } from 'lucide-react'
import { lazy_api } from '#api/lazy-api.ts'
import { useVerify, Verdict } from '#shared/verify.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'

export function VerifyRecord() {
  const { found, pending, check } = useVerify(lazy_api.audit.verify, {})
  const button = (
    <Button size="small" icon={ShieldCheck} loading={pending} onClick={check}>
      Verify
    </Button>
  )
  return (
    <div aria-live="polite">
      <Callout tone={found ? (found.good ? 'good' : 'bad') : 'notice'} action={button}>
        {found ? (
          <Verdict {...found} />
        ) : pending ? (
          'Reading every entry…'
        ) : (
          'Entries are sealed into a chain: Verify finds any that was altered, removed or added.'
        )}
      </Callout>
    </div>
  )
}
