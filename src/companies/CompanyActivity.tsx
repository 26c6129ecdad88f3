import { History } from 'lucide-react'
import { useState } from 'react'
import type { z } from 'zod'
import { api } from '#api/api.ts'
import { actorOf } from '#audit/words.contract.ts'
import { roleLabels } from '#paths.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { allOf, withArticle } from '#ui/figures.ts'
import { Skeleton } from '#ui/Skeleton.tsx'
import type { CompanyActivity as Activity } from './companies.contract.ts'

type ActivityEntry = z.infer<typeof Activity>

/** Changes to the company and its people, newest first. */
export function CompanyActivity({ id }: { id: string }) {
  const [trail, setTrail] = useState<(number | undefined)[]>([undefined])
  const before_id = trail.at(-1)
  const entries = useRead(api.companies.activity, { id, before_id }, { keep: true })
  const oldest = entries?.at(-1)?.id
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
                  <span className="font-medium">{actorOf(entry)}</span> {sentenceOf(entry)}
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
      {(trail.length > 1 || entries?.length === 30) && (
        <div className="flex justify-end gap-2 border-t border-line px-5 py-3">
          {trail.length > 1 && (
            <Button size="small" onClick={() => setTrail(trail.slice(0, -1))}>
              Newer
            </Button>
          )}
          {entries?.length === 30 && (
            <Button size="small" onClick={() => setTrail([...trail, oldest])}>
              Older
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

const fieldNames: Record<string, string> = {
  name: 'the name',
  domain: 'the domain',
  domain_proven_at: 'the verification of the domain',
  domain_auto_register: 'auto-registration',
  status: 'the status',
  time_zone: 'the time zone',
  currency: 'the currency',
}

function sentenceOf({ about, act, subject, after }: ActivityEntry): string {
  const changed = after ?? {}
  if (about === 'imports') {
    const file = String(changed['file_name'] ?? 'an employee file')
    return act === 'insert'
      ? `uploaded ${file}`
      : (fileSteps[String(changed['status'])] ?? 'changed an employee file')
  }
  if (about === 'profiles') return personSentence(act, subject ?? 'a person', changed)
  if (act === 'insert') return 'founded the company'
  const [field] = Object.keys(changed)
  if (Object.keys(changed).length === 1 && field) {
    const value = changed[field]
    if (typeof value === 'boolean') return `turned ${fieldNames[field]} ${value ? 'on' : 'off'}`
    return `changed ${fieldNames[field] ?? field} to ${value ?? 'nothing'}`
  }
  return `changed ${allOf(Object.keys(changed).map((name) => fieldNames[name] ?? name))}`
}

/** An upload as it goes on: each step is a line of its own. */
const fileSteps: Record<string, string> = {
  checked: 'checked an employee file',
  importing: 'started to import an employee file',
  done: 'imported an employee file',
  undoing: 'started to undo an employee file',
  undone: 'undid an employee file',
}

function personSentence(
  act: ActivityEntry['act'],
  name: string,
  after: NonNullable<ActivityEntry['after']>,
): string {
  if (act === 'insert') return `added ${name}`
  if (act === 'delete') return `took ${name} back`
  const role = roleLabels[after['role'] as keyof typeof roleLabels]
  if (role) return `made ${name} ${withArticle(role)}`
  if (after['status']) return `set ${name} to ${after['status']}`
  if ('left_on' in after) {
    return after['left_on']
      ? `set ${name}’s last day to ${dateText(String(after['left_on']))}`
      : `kept ${name}`
  }
  return `changed ${name}’s details`
}
