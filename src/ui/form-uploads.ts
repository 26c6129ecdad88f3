// The files of a form: it is sent once they are there, and not without one that was refused.
import { createContext } from 'react'

type UnderWay = { running: number; refused: number }

export class FormUploads {
  readonly #fields = new Map<string, UnderWay>()
  #waiting: (() => void)[] = []

  /** Told by each field of files, whenever something changes. */
  report(field: string, under_way: UnderWay) {
    this.#fields.set(field, under_way)
    if (this.#sum('running') > 0) return
    for (const go_on of this.#waiting) go_on()
    this.#waiting = []
  }

  forget(field: string) {
    this.report(field, { running: 0, refused: 0 })
  }

  get running() {
    return this.#sum('running')
  }

  /** How many were refused, once none is on its way any more. */
  async settled(): Promise<number> {
    if (this.running > 0) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    return this.#sum('refused')
  }

  #sum(what: keyof UnderWay) {
    return [...this.#fields.values()].reduce((sum, field) => sum + field[what], 0)
  }
}

export const FormUploadsContext = createContext<FormUploads | undefined>(undefined)
/** Whether the form was pressed and waits for its files. */
export const UploadingContext = createContext(false)
