import { X } from 'lucide-react'
import { useId } from 'react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { DateFilter } from '#ui/DateField.tsx'
import { inputStyles } from '#ui/Field.tsx'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { PickInput } from '#ui/PickField.tsx'
import { SearchField } from '#ui/SearchField.tsx'
import { useFilter } from '#ui/url-state.ts'
import { actWords, subjectWords } from './words.ts'

type Props = { actor_id: string | undefined }

export function AuditFilters({ actor_id }: Props) {
  const [from, setFrom] = useFilter('from')
  const [to, setTo] = useFilter('to')
  return (
    <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 sm:px-5">
      <div className="flex w-full flex-wrap gap-3">
        <SearchField label="Search changes" />
        <FilterMenu label="Subject" name="table" options={subject_kinds} />
        <FilterMenu label="Action" name="act" options={actWords} />
      </div>
      <Who actor_id={actor_id} />
      <Day label="From" value={from} onChange={setFrom} />
      <Day label="To" value={to} onChange={setTo} />
    </div>
  )
}

/** One entry for each word: tables that share a word are found under the first of them. */
const subject_kinds = Object.fromEntries(
  Object.entries(subjectWords)
    .filter(([, word], at, all) => all.findIndex(([, other]) => other === word) === at)
    .sort(([, a], [, b]) => a.localeCompare(b)),
)

function Who({ actor_id }: Props) {
  const [, setActor] = useFilter('actor')
  const found = useRead(lazy_api.audit.actors, actor_id ? { actor_id } : undefined)
  const id = useId()
  if (actor_id) {
    return (
      <Button icon={X} faint onClick={() => setActor('')}>
        {`Only by ${found ? (found[0]?.name ?? 'one person') : '…'}`}
      </Button>
    )
  }
  return (
    <div className="flex w-full items-center gap-2 text-ui text-soft sm:w-auto">
      <label htmlFor={id} className="w-12 shrink-0 sm:w-auto">
        Who
      </label>
      <PickInput
        id={id}
        find={lazy_api.audit.actors}
        placeholder="Anybody"
        className={`${inputStyles} h-9! sm:w-52!`}
        onPick={(choice) => choice && setActor(choice.id)}
      />
    </div>
  )
}

type DayProps = { label: string; value: string; onChange: (day: string) => void }

function Day({ label, value, onChange }: DayProps) {
  const id = useId()
  return (
    <div className="flex w-full items-center gap-2 text-ui text-soft sm:w-auto">
      <label htmlFor={id} className="w-12 shrink-0 sm:w-auto">
        {label}
      </label>
      <DateFilter id={id} value={value} onChange={onChange} />
    </div>
  )
}
