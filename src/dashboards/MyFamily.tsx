import { ArrowRight, Plus, UserRound } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { isCurrent } from '#dependents/dependents.contract.ts'
import { nobodyText, over, relationships } from '#dependents/words.contract.ts'
import { paths } from '#paths.ts'
import { CoverStateStatus } from '#shared/cover-states.tsx'
import { useRead } from '#ui/ask.ts'
import { Avatar } from '#ui/Avatar.tsx'
import { initialsOf } from '#ui/initials.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

const shown_most = 4

/** The dependents whom Solidarity covers; their own page has the rest. */
export function MyFamily() {
  const navigate = useNavigate()
  const family = useRead(api.dependents.mine, {})
  const current = family?.dependents.filter(isCurrent)
  const is_over = Boolean(family?.refusals.add)
  return (
    <Card
      flush
      title="Dependents"
      actions={
        !is_over && (
          <Button size="small" icon={Plus} onClick={() => void navigate(`${paths.dependents}?new`)}>
            Add
          </Button>
        )
      }
    >
      {!current && <Skeleton className="m-5 h-24" />}
      {current?.length === 0 && (
        <Empty icon={<UserRound aria-hidden />} title={nobodyText(family?.dependents.length ?? 0)}>
          {is_over ? over : 'Your Solidarity fund covers your spouse, children and parents.'}
        </Empty>
      )}
      <ul className="divide-y divide-line text-sm">
        {current?.slice(0, shown_most).map((dependent) => (
          <li key={dependent.id} className="flex items-center gap-3 px-5 py-3">
            <Avatar initials={initialsOf(dependent.full_name)} />
            <span className="min-w-0 flex-1">
              <span className="block font-medium wrap-anywhere">{dependent.full_name}</span>
              <span className="block text-ui text-soft">
                {`${relationships[dependent.relationship]}, ${dependent.age}`}
              </span>
            </span>
            <CoverStateStatus dependent={dependent} />
          </li>
        ))}
      </ul>
      {current && current.length > shown_most && (
        <Link to={paths.dependents} className={moreStyles}>
          {`All ${current.length}`}
          <ArrowRight className="size-3.5" aria-hidden />
        </Link>
      )}
    </Card>
  )
}

const moreStyles =
  'flex items-center gap-1 border-t border-line px-5 py-3 text-ui font-medium text-primary-ink hover:underline'
