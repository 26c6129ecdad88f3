// Text typed into a form, kept for this tab: neither a reload nor a lost session loses it.
const PREFIX = 'draft:'
/** Neither what opens an account nor where money goes. */
const secret = /password|secret|token|code|iban|holder/i

type Values = Record<string, unknown>

const isKept = ([name, value]: [string, unknown]) =>
  !secret.test(name) && ['string', 'number', 'boolean'].includes(typeof value)

export function keepDraft(name: string, values: Values) {
  const kept = Object.fromEntries(Object.entries(values).filter(isKept))
  try {
    sessionStorage.setItem(PREFIX + name, JSON.stringify(kept))
  } catch {
    // A full or forbidden storage must not stop anybody from typing.
  }
}

export function readDraft(name: string): Values {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? '{}') as Values
  } catch {
    return {}
  }
}

export const clearDraft = (name: string) => sessionStorage.removeItem(PREFIX + name)

/** Signing out leaves nothing behind for the next person at this screen. */
export function clearAllDrafts() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  }
}
