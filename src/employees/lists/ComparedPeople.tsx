import { ArrowRight } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { paths, pathTo } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { dateText } from '#ui/DateText.tsx'
import { count, money } from '#ui/figures.ts'
import { useScrollable } from '#ui/scrollable.ts'
import { MoreButton } from '#ui/MoreButton.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { fieldLabels } from '#employees/imports/columns.ts'
import type {
  ChangeEffect,
  FieldChange,
  ComparedPerson,
  kinds_of_people,
} from '#employees/imports/imports.contract.ts'
import { findingText } from '#employees/imports/finding-words.ts'

type Props = {
  id: string
  kind: (typeof kinds_of_people)[number]
  title: string
  items: number
}

/** The people of a file in its order, a hundred at a time. */
export function ComparedPeople({ id, kind, title, items }: Props) {
  const [pages, setPages] = useState([0])
  const list = useRef<HTMLDivElement>(null)
  useScrollable(list)
  if (items === 0) return null
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold">{`${title} · ${count(items)}`}</h3>
      <div ref={list} className="relative max-h-60 overflow-y-auto rounded-card border border-line">
        {pages.map((after, at) => (
          <PageOfPeople
            key={after}
            id={id}
            kind={kind}
            after={after}
            {...(at === pages.length - 1
              ? { onMore: (next: number) => setPages([...pages, next]) }
              : {})}
          />
        ))}
      </div>
    </section>
  )
}

type PageProps = Pick<Props, 'id' | 'kind'> & { after: number; onMore?: (next: number) => void }

function PageOfPeople({ id, kind, after, onMore }: PageProps) {
  const found = useRead(lazy_api.imports.people, { id, kind, after })
  const money_of = useRead(lazy_api.imports.effects, kind === 'changes' ? { id, after } : undefined)
  if (!found) return <Skeleton className="m-4 h-11" />
  const { people, next } = found
  return (
    <>
      <ul className="divide-y divide-line text-sm">
        {people.map((person) => (
          <Person key={person.line} person={person} kind={kind}>
            {money_of?.effects
              .filter(({ line }) => line === person.line)
              .map((effect) => (
                <Effect key={effect.line} effect={effect} currency={money_of.currency} />
              ))}
          </Person>
        ))}
      </ul>
      <MoreButton
        list={{ more: onMore && next !== null ? () => onMore(next) : undefined }}
        className="pb-3"
      />
    </>
  )
}

type PersonProps = { person: ComparedPerson; kind: Props['kind']; children: ReactNode }

function Person({ person, kind, children }: PersonProps) {
  const { full_name, email, personnel_number, department, person_id, changes, reason } = person
  const first_day = person.joined_on && `from ${dateText(person.joined_on)}`
  const explained = reason !== null || kind === 'untouched' || kind === 'kept'
  return (
    <li className="flex flex-wrap gap-x-5 gap-y-1 px-4 py-2.5">
      <span className="min-w-40 flex-1 wrap-anywhere">
        {person_id ? (
          <Link
            to={pathTo(paths.person, person_id)}
            className="rounded font-medium hover:underline"
          >
            {full_name ?? email}
          </Link>
        ) : (
          <span className="font-medium">{full_name}</span>
        )}
        <span className="block text-ui text-soft">
          {[email, personnel_number, ...(kind === 'fresh' ? [department, first_day] : [])]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      <span className="flex min-w-40 flex-1 flex-col gap-0.5 wrap-anywhere">
        {changes.map((change) => (
          <Changed key={change.field} label={fieldLabels[change.field]} {...shownChange(change)} />
        ))}
        {children}
        {explained && <span className="text-ui text-accent-ink">{findingText(person)}</span>}
      </span>
    </li>
  )
}

const shownChange = ({ field, was, becomes }: FieldChange) => {
  const shown = (value: string) => (field.endsWith('_on') ? dateText(value) : value)
  return { was: was && shown(was), becomes: shown(becomes) }
}

type ChangedProps = { label: string; was: string | null; becomes: string }

const Changed = ({ label, was, becomes }: ChangedProps) => (
  <span>
    <span className="text-soft">{`${label}: `}</span>
    {was && (
      <>
        <s className="text-soft">{was}</s>
        <ArrowRight className="mx-1.5 inline size-3.5 text-faint" aria-hidden />
        <span className="sr-only"> becomes </span>
      </>
    )}
    {becomes}
  </span>
)

type EffectProps = { effect: ChangeEffect; currency: string }

/** The plan by which the person is granted then, and the money that means now. */
function Effect({ effect, currency }: EffectProps) {
  const { plan_was, plan_becomes, less_cents, more_cents } = effect
  const parts = [
    less_cents > 0 && `${money(less_cents, currency)} less to claim`,
    more_cents > 0 && `${money(more_cents, currency)} more to claim`,
  ].filter(Boolean)
  return (
    <>
      {plan_was !== plan_becomes && (
        <Changed
          label="Plan"
          was={plan_was ?? 'the company’s'}
          becomes={plan_becomes ?? 'the company’s'}
        />
      )}
      {parts.length > 0 && <span className="text-accent-ink">{parts.join(', ')}</span>}
    </>
  )
}
