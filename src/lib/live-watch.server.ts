// The right to a topic is checked when a stream opens; this checks it again for as long as the stream is open.
import type { Log } from './log.server.ts'

/** The person of the stream: as they were when it was opened, and as they are now; nothing once signed out. */
export type StreamOwner = {
  person_id: string
  opened_as: string
  now: () => Promise<string | undefined>
}

type Watch = StreamOwner & { end: () => void; timer: NodeJS.Timeout }

const look_again_ms = 60_000
/** Tabs and devices; an eleventh takes the place of the first. */
const most_of_one = 10

export class Watches {
  readonly #by_person = new Map<string, Set<Watch>>()
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Answers what to call once the stream is closed. */
  add(owner: StreamOwner, end: () => void): () => void {
    const { person_id } = owner
    const timer = setInterval(() => void this.#look(watch), look_again_ms).unref()
    const watch: Watch = { ...owner, end, timer }
    const theirs = this.#by_person.get(person_id) ?? new Set()
    this.#by_person.set(person_id, theirs.add(watch))
    const [oldest] = theirs
    if (theirs.size > most_of_one) oldest?.end()
    return () => {
      clearInterval(timer)
      theirs.delete(watch)
      if (theirs.size === 0) this.#by_person.delete(person_id)
    }
  }

  /** Checks again after something about this person's sessions, role, rights or account has changed. */
  look(person_id: string) {
    for (const watch of this.#by_person.get(person_id) ?? []) void this.#look(watch)
  }

  /** The screen opens another stream at once, if it still may. */
  async #look(watch: Watch) {
    try {
      if ((await watch.now()) !== watch.opened_as) watch.end()
    } catch (error) {
      this.#log.warn({ err: error }, 'a live stream was not looked at again')
    }
  }
}
