import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { count, counted, money } from '#ui/figures.ts'

/** The money that new people need of this plan year's pools, and what changes take and give, before anything is applied. */
export function Price({ id }: { id: string }) {
  const price = useRead(lazy_api.imports.price, { id })
  if (!price) return null
  const { currency, need_cents, year_cents, pool_cents, missing_cents, people_before } = price
  const { less_cents, people_less, more_cents, people_more } = price
  const when =
    year_cents > need_cents
      ? `now and ${money(year_cents - need_cents, currency)} by month`
      : 'for this plan year'
  const changed = [
    people_less > 0 &&
      `${money(less_cents, currency)} less to claim for ${counted(people_less, 'person', 'people')}`,
    people_more > 0 &&
      `${money(more_cents, currency)} more to claim for ${counted(people_more, 'person', 'people')}`,
  ].filter(Boolean)
  return (
    <span className="mt-1 block">
      {changed.length > 0 && `The changes mean ${changed.join(', and ')}. `}
      {need_cents > 0 && `The new people need ${money(need_cents, currency)} ${when}. `}
      {need_cents + more_cents > 0 && `Your pools have ${money(pool_cents, currency)}. `}
      {need_cents + more_cents > 0 &&
        missing_cents > 0 &&
        `${money(missing_cents, currency)} is missing` +
          (people_before > 0
            ? `, with ${count(people_before)} invited or waiting before. `
            : '. ') +
          'Anyone who joins while a pool is empty waits for a grant.'}
    </span>
  )
}
