// How screens read and write: each answer is kept by its question; after any write all are
// asked again.
import {
  keepPreviousData,
  MutationCache,
  notifyManager,
  type Query,
  QueryCache,
  QueryClient,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import { useCallback } from 'react'
import type { CallOptions } from '#lib/contract.ts'
import { Problem, type ProblemCode } from '#problems.ts'
import { Failure, not_sent, showFailure } from './failure.ts'
import { isOffline } from './online.ts'
import { toast } from './toast.ts'

export type ActCall<I, O> = ((input: I, options?: CallOptions) => Promise<O>) & { key: string }
type DoneText<O> = string | ((output: O) => string | undefined) | undefined
/** The act that undoes it, offered for ten seconds beside the sentence; nothing where it can't be undone. */
type Undo<O, I = unknown> = (output: O, input: I) => (() => void) | undefined
type WriteVariables<I> = { input: I; options?: CallOptions | undefined; in_form?: boolean }

/** The session listens: a refusal may mean that the state of the person's account changed. */
export const refusals = new EventTarget()

export function noteRefusal(error: unknown) {
  if (error instanceof Problem) refusals.dispatchEvent(new Event(error.code))
}

const passing: readonly ProblemCode[] = ['unavailable', 'busy']
const mayPass = (error: Error) => !(error instanceof Problem) || passing.includes(error.code)
const again_max = 2
const again_after_ms = 5_000

/** Reads outside of the queries are retried like those, if the server is only busy. */
export async function askPatiently<O>(question: () => Promise<O>, failures = 0): Promise<O> {
  try {
    return await question()
  } catch (error) {
    if (!(error instanceof Problem) || !mayPass(error) || failures === again_max) throw error
    await new Promise((resolve) => setTimeout(resolve, 1000 * 2 ** failures))
    return askPatiently(question, failures + 1)
  }
}

// A button must be busy before a second press can reach it: by default screens hear a moment later.
notifyManager.setScheduler(queueMicrotask)

let writes = 0

/** How many acts this window has done, by which a screen tells its own acts from others'. */
export const writesDone = () => writes

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      retry: (failures, error) => failures < again_max && mayPass(error),
      // An answer already shown stays on screen; only a read that never had one shows its failure.
      throwOnError: (_, query) => query.state.data === undefined,
      // An old answer on screen looks like a new one, so after a passing failure it is asked for again until it is new.
      refetchInterval: ({ state: { error, data } }) =>
        data !== undefined && error && mayPass(error) ? again_after_ms : false,
    },
    // Writes are never kept to be sent once the line is back: by then somebody else may have decided.
    mutations: { networkMode: 'always' },
  },
  queryCache: new QueryCache({ onError: noteRefusal }),
  mutationCache: new MutationCache({
    onSuccess(output, variables, _context, mutation) {
      writes += 1
      const done = mutation.meta?.['done'] as DoneText<unknown>
      const text = typeof done === 'function' ? done(output) : done
      const undo = mutation.meta?.['undo'] as Undo<unknown> | undefined
      const run = undo?.(output, (variables as WriteVariables<unknown>).input)
      if (text) toast(text, 'success', run && { label: 'Undo', run })
    },
    onError(error, variables) {
      noteRefusal(error)
      if (!(variables as WriteVariables<unknown>).in_form) showFailure(error)
    },
    onSettled: askAgain,
  }),
})

/**
 * Everything on screen is asked again, and so is a first question under way once it is answered: its answer may be older
 * than this, and TanStack Query takes it for new.
 */
export function askAgain(): Promise<void> {
  for (const query of queries.getQueryCache().findAll({ predicate: isFirst })) {
    if (refetching.has(query)) continue
    refetching.add(query)
    const again = { queryKey: query.queryKey, exact: true }
    query
      .fetch()
      .finally(() => refetching.delete(query))
      .then(
        () => queries.invalidateQueries(again),
        () => {}, // what failed is asked again by who looks at it
      )
  }
  return queries.invalidateQueries()
}

const refetching = new WeakSet<Query>()
const isFirst = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined

/**
 * The answer, or nothing while it loads (show skeletons). A failure is shown by the nearest Card
 * or Page, with Retry. Without an input nothing is asked yet. `keep` shows the last page until
 * the next is here; `quiet` is for what may be missing without anybody being told.
 */
export function useRead<I, O>(
  call: ActCall<I, O>,
  input: I | undefined,
  { keep = false, quiet = false } = {},
): O | undefined {
  return useQuery({
    queryKey: [call.key, input],
    queryFn: ({ signal }) => call(input as I, { signal }),
    enabled: input !== undefined,
    ...(keep ? { placeholderData: keepPreviousData } : {}),
    ...(quiet ? { throwOnError: false } : {}),
  }).data
}

type Write<I, O> = ((input: I, options?: CallOptions) => void) & {
  pending: boolean
  /** The input being sent now: in a list, which row is busy. */
  sent: I | undefined
  /** Forms await this and show the refused fields themselves; no toast shows its failure. */
  submit: (input: I, options?: CallOptions) => Promise<O>
}

/** An act, with the one sentence that says it is done. Failures say the problem's sentence. */
export function useWrite<I, O>(
  call: ActCall<I, O>,
  done?: DoneText<O>,
  undo?: Undo<O, I>,
): Write<I, O> {
  const { mutate, mutateAsync, isPending, variables } = useMutation<O, Error, WriteVariables<I>>({
    mutationFn: async ({ input, options }) => {
      if (isOffline()) throw new Failure(not_sent)
      return once(call, input, options)
    },
    meta: { done, undo },
  })
  // Stable over renders: an effect that sends by it must not send again.
  const submit = useCallback(
    (input: I, options?: CallOptions) => mutateAsync({ input, options, in_form: true }),
    [mutateAsync],
  )
  return Object.assign((input: I, options?: CallOptions) => mutate({ input, options }), {
    pending: isPending,
    sent: isPending ? variables.input : undefined,
    submit,
  })
}

const on_its_way = new Map<string, { what: string; answer: Promise<unknown> }>()

/**
 * An act that is called again with the same input while it is under way waits for the same answer. Only the last one of
 * each act counts: on, off and on again are three.
 */
function once<I, O>(call: ActCall<I, O>, input: I, options?: CallOptions): Promise<O> {
  if (options?.file ?? options?.signal) return call(input, options)
  const what = JSON.stringify([input, options?.idempotency_key])
  const last = on_its_way.get(call.key)
  if (last?.what === what) return last.answer as Promise<O>
  const answer = call(input, options)
  const entry = { what, answer }
  on_its_way.set(call.key, entry)
  const over = () => {
    if (on_its_way.get(call.key) === entry) on_its_way.delete(call.key)
  }
  answer.then(over, over)
  return answer
}
