import { z } from 'zod'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Callout } from '#ui/Callout.tsx'
import { useFilter } from '#ui/url-state.ts'
import { Balances, Entries } from './Entries.tsx'

type Props = { plan_year: string | undefined; currency: string | undefined }

export function StatementTab({ plan_year, currency = 'EUR' }: Props) {
  const [person_filter, setPerson] = useFilter('person')
  const person_id = z.uuid().safeParse(person_filter).data
  const person = useRead(api.funds.of_person, person_id ? { person_id } : undefined)
  const known = { plan_year, currency, person_id }
  return (
    <div className="flex flex-col gap-6">
      {person_id && (
        <Callout
          title={person?.full_name ?? 'One person'}
          action={
            <Button size="small" onClick={() => setPerson('')}>
              Show all
            </Button>
          }
        >
          Only this person’s accounts and entries are shown.
        </Callout>
      )}
      <Entries key={person_id} {...known} />
      <Balances {...known} />
    </div>
  )
}
