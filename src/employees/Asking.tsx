import { api } from '#api.ts'
import { roleLabels } from '#paths.ts'
import { policy } from '#policy.ts'
import { useActor } from '#ui/actor.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Avatar, initialsOf } from '#ui/Avatar.tsx'
import { Badge } from '#ui/Badge.tsx'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { count as shown } from '#ui/Money.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** Those who signed up with an address of the company and wait for its HR, oldest first. */
export function Asking({ count }: { count: number }) {
  const me = useActor()
  const waiting = useRead(api.employees.asking, {})
  const approve = useWrite(api.employees.approve, ({ full_name }) => `${full_name} is approved`)
  const decline = useWrite(api.employees.decline, 'The request is declined')
  return (
    <Card
      flush
      title="Waiting for your approval"
      description="They signed up by themselves with an address of your domain."
      actions={<Badge tone="accent">{shown(count)}</Badge>}
    >
      <ul className="divide-y divide-line">
        {waiting ? (
          waiting.people.map((person) => (
            <li key={person.id} className="flex flex-wrap items-center gap-3 px-5 py-3 text-sm">
              <Avatar initials={initialsOf(person.full_name)} />
              <span className="min-w-40 flex-1">
                <span className="font-medium wrap-anywhere">{person.full_name}</span>
                <span className="block text-ui wrap-anywhere text-soft">
                  {person.email}
                  {person.role !== 'employee' && ` · as ${roleLabels[person.role]}`}
                  {person.asked_at && (
                    <>
                      {' · '}
                      <DateText value={person.asked_at} show="ago" />
                    </>
                  )}
                </span>
              </span>
              <span className="flex gap-2">
                <Button
                  size="small"
                  variant="primary"
                  unless={policy.approve_person(me, person)}
                  onClick={() => approve({ id: person.id })}
                >
                  Approve
                </Button>
                <Button
                  size="small"
                  unless={policy.decline_person(me, person)}
                  onClick={() => decline({ id: person.id })}
                >
                  Decline
                </Button>
              </span>
            </li>
          ))
        ) : (
          <li className="px-5 py-4">
            <Skeleton className="h-6 w-64" />
          </li>
        )}
      </ul>
      {waiting && count > waiting.people.length && (
        <p className="border-t border-line px-5 py-3 text-ui text-soft">
          {shown(waiting.people.length)} of {shown(count)}: the next appear as you decide.
        </p>
      )}
    </Card>
  )
}
