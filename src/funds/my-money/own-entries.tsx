// The entries of one's own money as its person reads them: what happened, and what can be claimed since.
import { categoryNames } from '#categories.ts'
import { paths } from '#paths.ts'
import { DateText } from '#ui/DateText.tsx'
import { signedMoney } from '#ui/figures.ts'
import { Money } from '#ui/Money.tsx'
import { ClaimLink, type EntryRow } from '#funds/ledger/ClaimLink.tsx'
import { nameOfOwnEntry, noteText, ownEffects } from '#funds/words.ts'

/** The change of what can be claimed; null if there is none: a payment comes from money on hold. */
function changeOf({ from, to, amount_cents }: EntryRow): number | null {
  if ((from.kind === 'available') === (to.kind === 'available')) return null
  return from.kind === 'available' ? -amount_cents : amount_cents
}

function aboutEntry(row: EntryRow): string {
  const category = row.from.category ?? row.to.category
  const effect = [category && categoryNames[category], ownEffects[row.event]]
  return [effect.filter(Boolean).join(': '), noteText(row)].filter(Boolean).join(' · ')
}

export const ownColumns = (currency: string, of_one: boolean) => ({
  When: {
    phone: 'below' as const,
    cell: (row: EntryRow) => <DateText value={row.posted_at} show="moment" />,
  },
  What: {
    phone: 'start' as const,
    cell: (row: EntryRow) => (
      <div className="min-w-0">
        <p className="font-medium">
          {nameOfOwnEntry(row)} <ClaimLink row={row} to={paths.my_claim} />
        </p>
        <p className="text-ui font-normal text-soft">{aboutEntry(row)}</p>
      </div>
    ),
  },
  Amount: {
    end: true,
    phone: 'end' as const,
    cell: (row: EntryRow) => {
      const change = of_one ? row.amount_cents : changeOf(row)
      if (change === null)
        return (
          <span className="text-soft">
            <Money cents={row.amount_cents} currency={currency} />
          </span>
        )
      return signedMoney(change, currency)
    },
  },
  [of_one ? 'Balance' : 'Available then']: {
    end: true,
    ...(of_one ? { phone: 'below_end' as const } : {}),
    cell: (row: EntryRow) => {
      const cents = of_one ? row.balance_cents : availableAfter(row)
      return cents === null ? '–' : <Money cents={cents} currency={currency} />
    },
  },
})

const availableAfter = ({ from, to }: EntryRow) =>
  [to, from].find(({ kind }) => kind === 'available')?.balance_cents ?? null
