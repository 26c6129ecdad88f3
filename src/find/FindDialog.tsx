import { clsx } from 'clsx'
import { Search } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { SearchText } from '#lib/contract.ts'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { Dialog } from '#ui/Dialog.tsx'
import { inputStyles } from '#ui/Field.tsx'
import { counted } from '#ui/figures.ts'
import { Option } from '#ui/Option.tsx'
import { useSettled } from '#ui/settled.ts'
import { placesFor, placesNamed } from './places.ts'
import {
  isTooShort,
  useFindResults,
  type ResultGroup,
  type FindResult,
  type FindResults,
} from './results.ts'

const shown_places = 8

/** Matches as one types, records before pages; Enter goes where the keyboard is. */
function useFound(typed: string): FindResults {
  const me = useRead(api.users.me, {}, { quiet: true })
  const { settled, fresh } = useSettled(typed)
  const { groups, loading } = useFindResults(me, settled)
  const places = me ? placesNamed(typed, placesFor(me)) : []
  const pages = places.slice(0, typed.trim() ? shown_places : undefined)
  const go = { title: 'Go to', results: pages.map((place) => ({ ...place, id: place.to })) }
  return { groups: pages.length > 0 ? [...groups, go] : groups, loading: loading || !fresh }
}

export function FindDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const list = useId()
  const shown = useRef<HTMLDivElement>(null)
  const leaves = useRef(false)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(0)
  const { groups, loading } = useFound(typed)
  const all = groups.flatMap(({ results }) => results)
  const at = Math.min(chosen, all.length - 1)
  const go = ({ to }: FindResult) => {
    leaves.current = true
    onClose()
    void navigate(to)
  }
  const step = (to: number) => {
    const next = (to + all.length) % all.length
    setChosen(next)
    shown.current
      ?.querySelector(`#${CSS.escape(`${list}-${next}`)}`)
      ?.scrollIntoView({ block: 'nearest' })
  }
  const press = (event: KeyboardEvent) => {
    const one = all[at]
    if (!one || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') step(at + 1)
    else if (event.key === 'ArrowUp') step(at - 1)
    else if (event.key === 'Enter') go(one)
    else return
    event.preventDefault()
  }
  return (
    <Dialog open onClose={onClose} title="Find" leaves={leaves}>
      {/* The field's shadow and ring need room: what scrolls cuts them off. */}
      <div className="relative pt-1">
        <Search
          className="pointer-events-none absolute top-4.5 left-3 size-4 text-faint"
          aria-hidden
        />
        <input
          type="text"
          role="combobox"
          aria-label="Find"
          aria-expanded={all.length > 0}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
          placeholder="A page, a name or a number"
          autoComplete="off"
          spellCheck={false}
          maxLength={SearchText.maxLength ?? undefined}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setChosen(0)
          }}
          onKeyDown={press}
          className={clsx(inputStyles, 'pl-9')}
        />
      </div>
      <Outcome typed={typed} found={all} loading={loading} />
      <Matches ref={shown} list={list} groups={groups} typed={typed} at={at} onGo={go} />
    </Dialog>
  )
}

type OutcomeProps = { typed: string; found: readonly FindResult[]; loading: boolean }

/** How many there are is seen; said it is to who listens. */
function Outcome({ typed, found, loading }: OutcomeProps) {
  const nothing = !loading && found.length === 0
  const too_short = isTooShort(typed)
  const shown = found.filter(({ is_all }) => !is_all).length
  return (
    <output
      className={clsx(
        nothing && 'block py-8 text-center text-sm text-soft',
        too_short && !nothing && 'mt-2 block px-2.5 text-ui text-soft',
        !too_short && !nothing && 'sr-only',
      )}
    >
      {nothing && !too_short && `Nothing matches “${typed.trim()}”`}
      {too_short && 'Type one more letter to find names, too'}
      {!loading && !too_short && shown > 0 && counted(shown, 'match', 'matches')}
      {shown < found.length && ' shown'}
    </output>
  )
}

type MatchesProps = Omit<FoundProps, 'group' | 'first'> & {
  ref: RefObject<HTMLDivElement | null>
  groups: readonly ResultGroup[]
}

const Matches = ({ ref, list, groups, ...found }: MatchesProps) => (
  <div
    ref={ref}
    id={list}
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- the platform's list can't be styled
    role="listbox"
    aria-label="Matches"
    className="mt-3 max-h-[50dvh] overflow-y-auto sm:h-80"
  >
    {groups.map((group, place) => (
      <Found
        {...found}
        key={group.title}
        group={group}
        list={list}
        first={groups.slice(0, place).flatMap(({ results }) => results).length}
      />
    ))}
  </div>
)

type FoundProps = {
  group: ResultGroup
  list: string
  first: number
  typed: string
  at: number
  onGo: (result: FindResult) => void
}

function Found({ group, list, first, typed, at, onGo }: FoundProps) {
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a part of the list above
      role="group"
      aria-label={group.title}
    >
      <p aria-hidden className="px-2.5 pt-2 pb-1 text-xs font-medium text-soft">
        {group.title}
      </p>
      {group.results.map((result, place) => (
        <Option
          key={result.id}
          id={`${list}-${first + place}`}
          title={result.title}
          note={result.note}
          // A claim is looked for by its number with the sign, too.
          typed={result.is_all ? '' : typed.replace(/^\s*#/, '')}
          chosen={first + place === at}
          onPick={() => onGo(result)}
        />
      ))}
    </div>
  )
}
