// The response times of this server, minute by minute, until they are saved.
import { noCounts, stepOf } from './steps.ts'

type Minute = { minute: string; counts: number[]; faults: number }

export class ResponseTimes {
  readonly #minutes = new Map<string, Minute>()

  /** One answer of the API. Files on their way take as long as the line of whoever sends them: not counted. */
  note(ms: number, status: number, at = new Date()) {
    const minute = `${at.toISOString().slice(0, 16)}:00Z`
    let known = this.#minutes.get(minute)
    if (!known) this.#minutes.set(minute, (known = { minute, counts: noCounts(), faults: 0 }))
    const step = stepOf(ms)
    known.counts[step] = (known.counts[step] ?? 0) + 1
    if (status >= 500) known.faults += 1
  }

  /** The figures not saved yet; those of a minute that is over are forgotten once they are. */
  unsaved(): Minute[] {
    return [...this.#minutes.values()]
  }

  saved(minutes: Minute[], at = new Date()) {
    const now = `${at.toISOString().slice(0, 16)}:00Z`
    for (const { minute } of minutes) if (minute < now) this.#minutes.delete(minute)
  }
}
