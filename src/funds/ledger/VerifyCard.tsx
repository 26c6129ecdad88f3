import { ShieldCheck } from 'lucide-react'
import { api } from '#api/api.ts'
import { useVerify, Verdict } from '#shared/verify.tsx'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { Card } from '#ui/Card.tsx'
import type { LedgerCheck } from './ledger.contract.ts'

/** Verifies the books, or one's own part of them, and names the first bad entry. */
export function VerifyCard({ own = false }: { own?: boolean }) {
  const { found, pending, check } = useVerify<Record<string, never>, LedgerCheck>(
    own ? api.funds.verify_mine : api.funds.verify,
    {},
  )
  return (
    <Card
      title={own ? 'Check your statement' : 'Ledger'}
      description={
        own
          ? 'Every entry is sealed, so nobody can change it unnoticed. Verify checks your entries’ seals and adds them up.'
          : 'Every entry is sealed into a chain. Verify recomputes all of it: chain, balances and sums.'
      }
      actions={
        <Button icon={ShieldCheck} loading={pending} onClick={check}>
          Verify
        </Button>
      }
    >
      <div aria-live="polite" className="-mt-2">
        {found ? (
          <Callout tone={found.good ? 'good' : 'bad'}>
            <Verdict {...found} />
          </Callout>
        ) : (
          <p className="text-sm text-soft">
            {pending ? 'Reading every entry…' : 'Not verified on this visit yet.'}
          </p>
        )}
      </div>
    </Card>
  )
}
