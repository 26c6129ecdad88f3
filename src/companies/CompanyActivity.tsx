import { History } from 'lucide-react'
import { api } from '#api/api.ts'
import { actorNameOf } from '#audit/words.contract.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { usePages } from '#ui/Pager.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { activitySentence } from './activity-words.ts'

/** Changes to the company and its people, newest first. */
export function CompanyActivity({ id }: { id: string }) {
  const { key: before_id, keep, pager } = usePages<number>(id)
  const page = useRead(api.companies.activity, { id, before_id }, { keep })
  const entries = page?.entries
  return (
    <Card flush title="Activity">
      {entries?.length === 0 && (
        <Empty icon={<History aria-hidden />} title="Nothing happened yet" />
      )}
      <ul className="divide-y divide-line text-sm">
        {entries
          ? entries.map((entry) => (
              <li
                key={entry.id}
                className="flex flex-wrap justify-between gap-x-4 gap-y-1 px-5 py-3"
              >
                <span className="min-w-0 wrap-anywhere">
                  <span className="font-medium">{actorNameOf(entry)}</span>{' '}
                  {activitySentence(entry)}
                </span>
                <span className="text-ui text-soft">
                  <DateText value={entry.at} show="moment" />
                </span>
              </li>
            ))
          : [1, 2, 3].map((n) => (
              <li key={n} className="px-5 py-3.5">
                <Skeleton className="h-4 w-72 max-w-full" />
              </li>
            ))}
      </ul>
      {pager(page?.next)}
    </Card>
  )
}
