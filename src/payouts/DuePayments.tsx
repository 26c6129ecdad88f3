import { useState } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { lastDayOver } from '#shared/last-day.ts'
import { Badge } from '#ui/Badge.tsx'
import { useCursorList } from '#ui/cursor-list.ts'
import { DateText } from '#ui/DateText.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { Money } from '#ui/Money.tsx'
import { MoreButton } from '#ui/MoreButton.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { useFilter } from '#ui/url-state.ts'
import { BlockButton, BlockPayment } from './BlockPayment.tsx'
import type { DuePayment } from './blocks.contract.ts'
import { returnedText } from './RunItems.tsx'
import { Withheld } from './Withheld.tsx'

type Props = { cut_off_on: string | undefined; open: boolean; onClose: () => void }

/** The payments that the next payout could make, by number and amount: each can be kept out of it. */
export const DuePayments = ({ cut_off_on, open, onClose }: Props) => (
  <Sheet wide open={open} onClose={onClose} title="Payments of the next payout">
    {open && <List cut_off_on={cut_off_on} />}
  </Sheet>
)

function List({ cut_off_on }: Pick<Props, 'cut_off_on'>) {
  const [search] = useFilter('who')
  const list = useCursorList(lazy_api.payment_blocks.due, {
    cut_off_on,
    search: search || undefined,
  })
  const [blocking, setBlocking] = useState<DuePayment>()
  const people = list.pages?.flatMap((page) => page.people)
  const currency = list.pages?.[0]?.currency ?? ''
  return (
    <div className="flex flex-col gap-3">
      <SearchField name="who" label="Search people" wide />
      {!people && <Skeleton className="h-60 w-full" />}
      {people?.length === 0 && <p className="py-4 text-sm text-soft">No matching people</p>}
      <ul className="divide-y divide-line">
        {people?.map((one) => (
          <li key={one.person_id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-3">
            <div className="min-w-0 flex-1 basis-44 text-sm sm:basis-56">
              <NameLine one={one} />
              {one.claims.length > 0 && (
                <p className="text-ui text-soft">
                  {one.claims
                    .map(
                      ({ id, blocked }) => `#${id}${blocked && !one.blocked ? ' (blocked)' : ''}`,
                    )
                    .join(', ')}
                </p>
              )}
              {one.returned && (
                <p className="text-ui wrap-anywhere text-soft">
                  <DateText value={one.returned.at} />
                  {one.returned.because && `: ${one.returned.because}`}
                  {one.returned.same_account && '. The bank account is still the same'}
                </p>
              )}
            </div>
            <Due one={one} currency={currency} />
            {!one.blocked && (
              <BlockButton
                name={one.person_name}
                unless={one.refusals.block}
                onClick={() => setBlocking(one)}
              />
            )}
          </li>
        ))}
      </ul>
      <MoreButton list={list} />
      {blocking && (
        <BlockPayment
          person_id={blocking.person_id}
          person_name={blocking.person_name}
          claims={blocking.claims.filter(({ blocked }) => !blocked)}
          currency={currency}
          onClose={() => setBlocking(undefined)}
        />
      )}
    </div>
  )
}

const NameLine = ({ one }: { one: DuePayment }) => (
  <p className="flex flex-wrap items-center gap-2">
    <span className="font-medium wrap-anywhere">{one.person_name}</span>
    {lastDayOver(one.left_on) && <Badge>Left the company</Badge>}
    {one.blocked && <Badge tone="bad">Blocked</Badge>}
    {one.without_account && <Badge tone="accent">No bank account</Badge>}
    {one.waits && <Badge tone="accent">Bank account waits</Badge>}
    {one.returned && <Badge tone="bad">{returnedText(one.returned)}</Badge>}
  </p>
)

const Due = ({ one, currency }: { one: DuePayment; currency: string }) => (
  <div className="max-w-32 text-right text-sm sm:max-w-none">
    <p className="figures font-medium">
      <Money cents={one.cents - one.withheld_cents} currency={currency} />
    </p>
    <Withheld claims_cents={one.cents} withheld_cents={one.withheld_cents} currency={currency} />
  </div>
)
