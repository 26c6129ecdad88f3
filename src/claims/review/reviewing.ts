// A reviewer's place in the queue, their selection, and how the keyboard moves.
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { api } from '#api/api.ts'
import { problems } from '#problems.ts'
import { queries } from '#ui/ask.ts'
import { useShortcuts } from '#ui/shortcuts.ts'
import { arriving_ms, toast } from '#ui/toast.ts'
import type { Decidable, Decide } from './DecisionFields.tsx'
import { decidableOf } from './ReviewActs.tsx'
import { most_at_once, type ReviewedClaim, type QueuedClaim } from './review.contract.ts'
import { selectionRefusal, useClaimPath, useQueue, useQueueOrder } from './queue.ts'
import type { Target } from './QueueRows.tsx'

export type Reviewing = ReturnType<typeof useReviewing>

export function useReviewing(open: number | undefined) {
  const queue = useQueue()
  const order = useQueueOrder()
  const navigate = useNavigate()
  const pathOf = useClaimPath()
  const [reached, reach] = useState<number>()
  const [target, setTarget] = useOpened(open)
  const [keys_shown, showKeys] = useState(false)
  const selection = useSelection(queue.rows)
  const { rows } = queue
  const current = open ?? reached
  const stands_at = useNow(current)
  const moved_at = useRef(0)

  const go = useCallback(
    (id: number | undefined) => {
      if (open !== undefined) void navigate(pathOf(id), { replace: true })
      if (id === undefined) return
      reach(id)
      setTarget({ id, focus: !standsInClaim() })
    },
    [open, navigate, pathOf, setTarget],
  )
  const step = (by: 1 | -1) => {
    if (!rows?.length) return
    const at = rows.findIndex(({ id }) => id === current)
    const next = at < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + by))]
    if (next && next.id !== current) go(next.id)
    else if (next) setTarget({ id: next.id, focus: !standsInClaim() })
  }
  const first = () => rows?.[0] && go(rows[0].id)
  /** Turns the order of the list round: its other end comes first, however long it is. */
  const turn = () => {
    reach(undefined)
    setTarget(undefined)
    order.turn()
  }
  /** The next claim that the reviewer may decide on gets the focus; after the last one, the one before. */
  const after = (id: number) => {
    const line = rows?.filter((row) => row.id === id || !waitsForOthers(row)) ?? []
    const at = line.findIndex((row) => row.id === id)
    const next = at < 0 ? undefined : (line[at + 1] ?? line[at - 1])
    return () => {
      // A reviewer who went elsewhere meanwhile stays there.
      if (stands_at.current !== current || (open !== undefined && open !== id)) return
      moved_at.current = Date.now()
      go(next?.id)
    }
  }
  return {
    ...queue,
    ...selection,
    current,
    reach,
    target,
    step,
    first,
    turn,
    after,
    /** A second press of the key that decided on the previous claim decides nothing about this one. */
    arriving: () => Date.now() - moved_at.current < arriving_ms,
    pathOf,
    keys_shown,
    showKeys,
  }
}

/** Whether the focus is in the open claim: the next one has the same buttons, so it is left there. */
const standsInClaim = () => Boolean(document.activeElement?.closest('article'))

/** The reviewer's claim at this moment, for callbacks; 'gone' after they left the page. */
function useNow(current: number | undefined) {
  const now = useRef<number | 'gone' | undefined>(current)
  useEffect(() => {
    now.current = current
    return () => {
      now.current = 'gone'
    }
  })
  return now
}

const waitsForOthers = ({ status, refusals }: QueuedClaim) =>
  status === 'pending' && refusals.approve !== null

/** A claim opened by its address, or from elsewhere, is scrolled into view in the list beside it. */
function useOpened(open: number | undefined) {
  const targetOf = (id: number | undefined) => (id === undefined ? undefined : { id, focus: false })
  const [target, setTarget] = useState<Target | undefined>(() => targetOf(open))
  const [before, setBefore] = useState(open)
  if (open !== before) {
    setBefore(open)
    if (open !== undefined && open !== target?.id) setTarget(targetOf(open))
  }
  return [target, setTarget] as const
}

/** All acts by single keys; see ShortcutsDialog. */
export function useReviewKeys(reviewing: Reviewing, open: number | undefined, decide: Decide) {
  const navigate = useNavigate()
  const { rows, current, pathOf } = reviewing
  const row = rows?.find(({ id }) => id === current)
  const may = (name: 'approve_whole' | 'reject' | 'ask', act: (claim: Decidable) => void) => () => {
    const claim = claimAt(open, row)
    if (claim && !claim.refusals[name]) act(claim)
  }
  const close = open === undefined ? undefined : () => void navigate(pathOf(undefined))
  const show = row && open === undefined ? () => void navigate(pathOf(row.id)) : undefined
  useShortcuts({
    j: () => reviewing.step(1),
    k: () => reviewing.step(-1),
    g: () => reviewing.first(),
    e: () => reviewing.turn(),
    o: show,
    u: close,
    Escape: close,
    x: () => row && reviewing.toggle(row),
    // The other acts ask first.
    a: may('approve_whole', (claim) => reviewing.arriving() || decide.approve(claim)),
    r: may('reject', (claim) => decide.ask('reject', claim)),
    i: may('ask', (claim) => decide.ask('ask', claim)),
    '?': () => reviewing.showKeys(true),
  })
}

/** The open claim as it was last read, rather than its row in the list. */
function claimAt(open: number | undefined, row: QueuedClaim | undefined) {
  if (open === undefined) return row
  const read = queries.getQueryData<ReviewedClaim>([api.review.find.key, { id: open }])
  return read && { ...decidableOf(read), refusals: read.refusals }
}

function useSelection(rows: readonly QueuedClaim[] | undefined) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  const chosen = useMemo(
    () =>
      ids.size === 0
        ? []
        : (rows ?? []).filter((claim) => ids.has(claim.id) && !selectionRefusal(claim)),
    [ids, rows],
  )
  const toggle = useCallback((claim: QueuedClaim) => {
    const refusal = selectionRefusal(claim)
    if (refusal) {
      toast(problems[refusal][1], 'notice')
      return
    }
    const { id } = claim
    setIds((before) => {
      const next = new Set(before)
      if (!next.delete(id) && next.size < most_at_once) next.add(id)
      return next
    })
  }, [])
  const clear = useCallback(() => setIds(new Set()), [])
  return { ids, chosen, toggle, clear }
}
