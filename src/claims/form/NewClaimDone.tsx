import { Check, Clock, Landmark } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { paths, pathTo } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { Button, ButtonLink } from '#ui/Button.tsx'
import { Money } from '#ui/Money.tsx'
import type { Claim } from '#claims/claims.contract.ts'
import { paidWhen, usePaysFrom } from '#claims/PaidWhen.tsx'
import { by_email } from '#shared/mail-pace.ts'
import { AccountForm } from '#claims/PayoutAccount.tsx'

type Props = { claim: Claim; onAnother: () => void; onClose: () => void }

/** The claim's number, and what comes next. */
export function NewClaimDone({ claim, onAnother, onClose }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  const pays_from_on = usePaysFrom(claim)
  useEffect(() => title.current?.focus(), [])
  const approved = claim.status === 'approved'
  const lacks_account = useRead(lazy_api.payouts.my_account, {}, { quiet: true }) === null
  return (
    <div className="mx-auto flex max-w-md animate-rise flex-col items-center py-8 text-center">
      <span className="grid size-14 place-items-center rounded-full bg-good-wash text-good-ink">
        <Check className="size-7" strokeWidth={2.5} aria-hidden />
      </span>
      <h3 ref={title} tabIndex={-1} className="mt-5 text-xl font-semibold outline-none">
        {approved ? `Claim #${claim.id} approved` : `Claim #${claim.id} submitted`}
      </h3>
      <p className="mt-2 max-w-full text-sm text-pretty wrap-anywhere text-soft">
        <Money cents={claim.approved_cents ?? claim.amount_cents} currency={claim.currency} /> for{' '}
        {claim.type_name}, <bdi>{claim.provider}</bdi>
      </p>
      <p className="mt-6 flex items-start gap-2.5 rounded-card bg-sunken px-4 py-3 text-left text-sm text-pretty">
        {approved ? (
          <Landmark className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />
        ) : (
          <Clock className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden />
        )}
        {approved
          ? `It meets the policy, so no review is needed. ${paidWhen(pays_from_on)}`
          : `HR is reviewing it. ${you_hear}`}
      </p>
      <Boundary>
        {lacks_account && <AskForAccount onDone={() => title.current?.focus()} />}
      </Boundary>
      <div className="mt-8 flex flex-wrap justify-center gap-2">
        <Button onClick={onAnother}>Submit another</Button>
        <ButtonLink to={pathTo(paths.my_claim, claim.id)}>See the claim</ButtonLink>
        <Button variant={lacks_account ? 'secondary' : 'primary'} onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  )
}

function AskForAccount({ onDone }: { onDone: () => void }) {
  return (
    <section className="mt-6 w-full rounded-card border border-line p-5 text-left">
      <h4 className="text-sm font-semibold">Where should the money go?</h4>
      <p className="mt-0.5 mb-4 text-ui text-soft">
        We ask only once. You can change it in My Claims.
      </p>
      <AccountForm onDone={onDone} />
    </section>
  )
}

const you_hear = `We’ll notify you here at once, and ${by_email}. You can withdraw it until it is decided.`
