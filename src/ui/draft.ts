// Text typed into a form, kept for this tab: neither a reload nor a lost session loses it.
const PREFIX = 'draft:'
/** Fields that no draft keeps: those that open an account, and bank accounts. */
const secret = /password|secret|token|code|iban|holder/i

export type Values = Readonly<Record<string, unknown>>
/** Each field has what was typed, and what stood there before. */
type SavedDraft = Record<string, [typed: unknown, before: unknown]>

/** A field that is left empty has '' or nothing. */
export const isSame = (one: unknown, other: unknown) => (one ?? '') === (other ?? '')

const isKept = (name: string, value: unknown) =>
  !secret.test(name) && ['undefined', 'string', 'number', 'boolean'].includes(typeof value)

/** Keeps changed fields alone, emptied ones included: the others may be changed by somebody else meanwhile. */
export function keepDraft(name: string, values: Values, before: Values) {
  const kept: SavedDraft = {}
  for (const [field, value] of Object.entries(values)) {
    if (isKept(field, value) && !isSame(value, before[field])) kept[field] = [value, before[field]]
  }
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(kept))
  } catch {
    // A full or forbidden storage must not stop anybody from typing.
  }
}

/** Leaves out fields whose stored value has changed since they were typed: they would undo somebody else's change. */
export function readDraft(name: string, before: Values): Values {
  try {
    const kept = JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}') as SavedDraft
    const current = Object.entries(kept).filter(([field, [, was]]) => isSame(was, before[field]))
    return Object.fromEntries(current.map(([field, [typed]]) => [field, typed ?? undefined]))
  } catch {
    return {}
  }
}

/** The drafts of a person in this tab, by the name of their form. */
export function draftsOf(person_id: string): { name: string; typed: Values }[] {
  const prefix = `${PREFIX}${person_id}:`
  try {
    const keys = Object.keys(sessionStorage).filter((key) => key.startsWith(prefix))
    return keys.map((key) => {
      const kept = JSON.parse(sessionStorage.getItem(key) ?? '{}') as SavedDraft
      const typed = Object.entries(kept).map(([field, [value]]) => [field, value])
      return { name: key.slice(prefix.length), typed: Object.fromEntries(typed) as Values }
    })
  } catch {
    return []
  }
}

export const clearDraft = (name: string) => sessionStorage.removeItem(PREFIX + name)

/** Signing out leaves nothing behind for the next person at this screen. */
export function clearAllDrafts() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  }
}
