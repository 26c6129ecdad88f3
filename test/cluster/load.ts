// People who claim and an admin who approves, all the while, by one server and then by the other. What was not answered
// is asked again with the same key, as the browser does; what was acknowledged is remembered.
import { setTimeout as pause } from 'node:timers/promises'
import type { Problem } from '#problems.ts'
import { aKey, type Api } from '../world/people.ts'

type Draft = Parameters<Api['claims']['submit']>[0]
type LoadOptions = {
  /** Each at every server. */
  people: Api[][]
  admin: Api[]
  draft: Draft
}

const breath_ms = 400
const retry_ms = 200
const told_to_wait = new Set(['unavailable', 'busy', 'internal', 'storage_full'])

export class Load {
  /** Claims by their note. */
  readonly submitted = new Map<string, number>()
  readonly approved = new Set<number>()
  /** When something was acknowledged, and when it had been asked for. */
  readonly acts: { asked_at: number; at: number }[] = []
  /** The failures instead of answers, and how often each came. */
  readonly met = new Map<string, number>()
  longest_ms = 0
  /** The error that nobody may meet: it ended the load. */
  fault: unknown
  readonly #options: LoadOptions
  readonly #over = new AbortController()
  readonly #ended: Promise<unknown>

  constructor(options: LoadOptions) {
    this.#options = options
    const lives = options.people.map((person, at) => this.#live(person, at))
    this.#ended = Promise.all(lives).catch((error: unknown) => (this.fault = error))
  }

  async #live(person: Api[], at: number) {
    for (let turn = at; !this.#over.signal.aborted; turn += 1) {
      const note = aKey()
      const draft = { ...this.#options.draft, note }
      const options = { idempotency_key: note }
      const claim = await this.#insist(turn, (server) =>
        person[server]!.claims.submit(draft, options),
      )
      if (!claim) return
      this.submitted.set(note, claim.id)
      const { id, version } = claim
      // Asking again after it was done is refused: it has been decided.
      const done = await this.#insist(turn + 1, (server) =>
        this.#options.admin[server]!.review.approve({ id, version })
          .then(({ status }) => status === 'approved')
          .catch((error: Problem) => this.#decided(error, this.#options.admin[server]!, id)),
      )
      if (!done) return
      this.approved.add(id)
      await pause(breath_ms)
    }
  }

  async #decided(error: Problem, admin: Api, id: number): Promise<boolean> {
    if (!['claim_already_decided', 'changed_meanwhile'].includes(error.code)) throw error
    const { status } = await admin.review.find({ id })
    if (status !== 'approved') throw error
    return true
  }

  /** Asks one server, then the other, until one answers; undefined if the run is over. */
  async #insist<T>(turn: number, act: (server: number) => Promise<T>): Promise<T | undefined> {
    for (let tried = 0; !this.#over.signal.aborted; tried += 1) {
      const asked_at = performance.now()
      try {
        const answer = await act((turn + tried) % 2)
        this.acts.push({ asked_at, at: performance.now() })
        return answer
      } catch (error) {
        const { code = String(error) } = error as { code?: string }
        this.met.set(code, (this.met.get(code) ?? 0) + 1)
        if (!told_to_wait.has(code)) throw new Error(`People met ${code}`, { cause: error })
        await pause(retry_ms)
      } finally {
        this.longest_ms = Math.max(this.longest_ms, performance.now() - asked_at)
      }
    }
    return undefined
  }

  /** Since that moment: how long nothing was acknowledged that was asked for later than the last that was. */
  away_ms(since: number): number {
    const moments = this.acts.filter(({ at }) => at >= since).map(({ at }) => at)
    const all = [since, ...moments.toSorted((a, b) => a - b), performance.now()]
    return Math.max(...all.slice(1).map((at, n) => at - all[n]!))
  }

  answeredSince(moment: number): number {
    return this.acts.filter(({ asked_at }) => asked_at > moment).length
  }

  async end() {
    this.#over.abort()
    await this.#ended
    if (this.fault) throw this.fault
  }
}
