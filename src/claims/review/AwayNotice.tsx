import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'

/** The company's admins who are away today, and who has their work. */
export function AwayNotice() {
  const away = useRead(lazy_api.absences.list, {})?.filter(({ is_now }) => is_now)
  if (!away?.length) return null
  return (
    <Callout tone={away.some(({ has_it }) => !has_it) ? 'accent' : 'notice'}>
      <ul className="flex flex-col gap-1">
        {away.map(({ id, person_name, to_on, has_it }) => (
          <li key={id}>
            {`${person_name} is away until ${dateText(to_on)}. `}
            {has_it ? `${has_it} is standing in.` : 'Nobody is standing in: their work waits.'}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
