// A screen that is open: it hears what concerns it, and opens its stream again where that ended, as src/ui/live.ts does.
import { setTimeout as pause } from 'node:timers/promises'
import type { Api } from '../world/people.ts'

type StreamReader = ReadableStreamDefaultReader<Uint8Array>

export class Screen {
  event_count = 0
  opened = 0
  readonly #api: Api
  readonly #over = new AbortController()
  readonly #ended: Promise<void>
  #reader: StreamReader | undefined

  constructor(api: Api) {
    this.#api = api
    this.#ended = this.#follow()
  }

  async #follow() {
    const { signal } = this.#over
    while (!signal.aborted) {
      try {
        const stream = await this.#api.live.open({}, { signal })
        this.opened += 1
        await this.#listen(stream.getReader())
      } catch {
        // the next try tells
      }
      await pause(500, undefined, { signal }).catch(() => {})
    }
  }

  async #listen(reader: StreamReader) {
    this.#reader = reader
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      if (decoder.decode(value).includes('data:')) this.event_count += 1
    }
  }

  async close() {
    this.#over.abort()
    await this.#reader?.cancel().catch(() => {}) // its server may be gone
    await this.#ended
  }
}
