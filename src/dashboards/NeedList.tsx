import { useEffect, useRef, useState, type ReactNode } from 'react'
import { opensOf } from '#need-acts.tsx'
import type { Need } from '#notifications/needs.contract.ts'
import { writesDone } from '#ui/ask.ts'
import { Boundary } from '#ui/Boundary.tsx'
import { NeedLine } from './NeedLine.tsx'

type Props = { lines: readonly Need[]; empty: ReactNode }

/** Things to do, each with its act. A done one disappears, and the next line is at hand. */
export function NeedList({ lines, empty }: Props) {
  const [done, setDone] = useState<readonly Need[]>([])
  const [opened, setOpened] = useState<OpenedNeed>()
  const list = useFocusOnNext()
  const isThere = (need: Need) => lines.some((line) => keyOf(line) === keyOf(need))
  const kept = done.filter((one) => !isThere(one))
  const all = [
    ...lines.map((need) => ({ need, done: false })),
    ...kept.map((need) => ({ need, done: true })),
  ].toSorted((a, b) => ageOf(a.need).localeCompare(ageOf(b.need)))
  // A need that the reader has just done closes its dialog. If somebody else did it, the dialog itself says so.
  if (opened && !isThere(opened.need) && writesDone() > opened.writes && !opened.stays)
    setOpened(undefined)
  return (
    <>
      {all.length === 0 ? (
        empty
      ) : (
        <ul ref={list} className="divide-y divide-line">
          {all.map(({ need, done }) => (
            <NeedLine
              key={keyOf(need)}
              need={need}
              done={done}
              onOpen={() => setOpened(openedOf(need))}
              onDone={() => setDone((before) => [...before, need])}
              onGone={() => setDone((before) => before.filter((one) => one !== need))}
            />
          ))}
        </ul>
      )}
      {opened && (
        <Act
          need={opened.need}
          // Closing ends only this dialog: a late answer must not close one that was opened since.
          onClose={() => setOpened((now) => (now === opened ? undefined : now))}
        />
      )}
    </>
  )
}

type OpenedNeed = { need: Need; writes: number; stays: boolean }

const openedOf = (need: Need): OpenedNeed => ({
  need,
  writes: writesDone(),
  stays: opensOf(need)?.stays ?? false,
})

function Act({ need, onClose }: { need: Need; onClose: () => void }) {
  const found = opensOf(need)
  if (!found) return null
  return (
    <Boundary>
      <found.Act need={need} onClose={onClose} />
    </Boundary>
  )
}

const keyOf = ({ kind, number, subject_id }: Need) => `${kind} ${number ?? subject_id ?? ''}`

/** Needs without a day come last, in their order. */
const ageOf = ({ since }: Need) => since ?? '9'

/** The focus of a line that is gone passes to the act of the one in its place. */
function useFocusOnNext() {
  const [list, setList] = useState<HTMLUListElement | null>(null)
  const last = useRef<{ line: Element; at: number }>(undefined)
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      const line = target instanceof Element ? target.closest('li') : null
      if (line?.parentElement !== list || !list) return
      last.current = { line, at: [...list.children].indexOf(line) }
    }
    list?.addEventListener('focusin', note)
    return () => list?.removeEventListener('focusin', note)
  }, [list])
  useEffect(() => {
    if (!last.current || last.current.line.isConnected) return
    if (document.activeElement !== document.body) return
    const { at } = last.current
    last.current = undefined
    // The last button of a line gets the focus, as it is never one that acts at one press.
    const acts = [...(list?.children ?? [])].map((line) =>
      [...line.querySelectorAll<HTMLElement>('a, button')].at(-1),
    )
    const next = acts.slice(at).find(Boolean) ?? acts.findLast(Boolean)
    ;(next ?? document.querySelector('main'))?.focus()
  })
  return setList
}
