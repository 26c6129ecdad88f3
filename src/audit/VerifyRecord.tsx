import { ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useWrite } from '#ui/ask.ts'
import { AsOf } from '#ui/AsOf.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { showFailure } from '#ui/failure.ts'
import type { AuditCheck } from './audit.contract.ts'

/** Proves the record, or names the first bad entry. */
export function VerifyRecord() {
  const verify = useWrite(lazy_api.audit.verify)
  const [found, setFound] = useState<AuditCheck>()
  const check = async () => {
    setFound(undefined)
    try {
      setFound(await verify.submit({}))
    } catch (error) {
      showFailure(error)
    }
  }
  const button = (
    <Button size="small" icon={ShieldCheck} loading={verify.pending} onClick={() => void check()}>
      Verify
    </Button>
  )
  return (
    <div aria-live="polite">
      <Callout tone={found ? (found.good ? 'good' : 'bad') : 'notice'} action={button}>
        {found ? (
          <>
            {found.sentence}. <AsOf at={found.as_of} />
          </>
        ) : verify.pending ? (
          'Reading every entry…'
        ) : (
          'Entries are sealed into a chain: Verify finds any that was altered, removed or added.'
        )}
      </Callout>
    </div>
  )
}
