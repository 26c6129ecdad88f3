import { Money } from '#ui/Money.tsx'
import type { DecidedLine } from './claims.contract.ts'

type Props = { lines: readonly DecidedLine[]; currency: string }

export const ClaimLines = ({ lines, currency }: Props) => (
  <ol className="divide-y divide-line text-sm">
    {lines.map(({ what, amount_cents, approved_cents, reason }, at) => {
      const lowered = approved_cents !== null && approved_cents < amount_cents
      return (
        <li key={`line ${at + 1}`} className="py-2 first:pt-0 last:pb-0">
          <p className="flex items-baseline justify-between gap-4">
            <span className="min-w-0 wrap-anywhere">{what}</span>
            <span className="figures shrink-0 text-right">
              {lowered ? (
                <>
                  <del className="mr-2 text-faint">
                    <Money cents={amount_cents} currency={currency} />
                  </del>
                  <ins className="font-medium no-underline">
                    <Money cents={approved_cents} currency={currency} />
                  </ins>
                </>
              ) : (
                <Money cents={amount_cents} currency={currency} />
              )}
            </span>
          </p>
          {reason && <p className="mt-0.5 text-ui wrap-anywhere text-soft">{reason}</p>}
        </li>
      )
    })}
  </ol>
)
