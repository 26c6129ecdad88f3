// The files of a form: it is sent once they are there, and not without one that was refused.
import { createContext } from 'react'

/** `reading`: they are there, and what they say is still to come. */
type UnderWay = { running: number; refused: number; reading?: number }

export class FormUploads {
  readonly #fields = new Map<string, UnderWay>()
  readonly #waiting = { running: [] as (() => void)[], reading: [] as (() => void)[] }

  /** Called by each field of files when an upload changes. */
  report(field: string, under_way: UnderWay) {
    this.#fields.set(field, under_way)
    if (this.#sum('reading') === 0) this.#goOn('reading')
    if (this.#sum('running') === 0) this.#goOn('running')
  }

  forget(field: string) {
    this.report(field, { running: 0, refused: 0 })
  }

  get running() {
    return this.#sum('running')
  }

  /** How many were refused, once none is on its way any more. */
  async settled(): Promise<number> {
    if (this.running > 0) await new Promise<void>((resolve) => this.#waiting.running.push(resolve))
    return this.#sum('refused')
  }

  get reading() {
    return this.#sum('reading')
  }

  /** Waits until all files were read, but no longer than this. */
  async read(most_ms: number): Promise<void> {
    if (this.reading === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, most_ms)
      this.#waiting.reading.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  #goOn(what: 'running' | 'reading') {
    for (const go_on of this.#waiting[what].splice(0)) go_on()
  }

  #sum(what: keyof UnderWay) {
    return [...this.#fields.values()].reduce((sum, field) => sum + (field[what] ?? 0), 0)
  }
}

export const FormUploadsContext = createContext<FormUploads | undefined>(undefined)
/** The step that a submitted form waits for: that its files are sent, or that they are read. */
export const UploadingContext = createContext<'sending' | 'reading' | undefined>(undefined)
