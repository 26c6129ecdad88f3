import { Link } from 'react-router'
import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'

/** The groups that somebody is in; nothing where there are none. */
export function PersonGroups({ person_id }: { person_id: string }) {
  const groups = useRead(lazy_api.groups.of_person, { id: person_id })
  if (!groups?.length) return null
  return (
    <Card title="Groups">
      <ul className="flex flex-col gap-1.5 text-sm">
        {groups.map(({ id, name, departments }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-2">
            <Link
              to={`${paths.employees}?group=${id}`}
              className="rounded font-medium wrap-anywhere text-primary-ink hover:underline"
            >
              {name}
            </Link>
            <span className="text-ui text-soft">{departments ? 'by department' : 'picked'}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
