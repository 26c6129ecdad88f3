import { useEffect, useRef } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { isSame, type Values } from './draft.ts'

export type AnyForm = UseFormReturn<FieldValues, unknown, FieldValues>

/**
 * A form over a record that stays on screen: untouched fields follow the record, fields that somebody types in keep the text.
 * Answers the values from before anybody typed.
 */
export function useFollowing(form: AnyForm, defaults: Values, follows: boolean) {
  const before = useRef<Record<string, unknown>>({ ...defaults })
  const values = useRef(defaults)
  useEffect(() => {
    const last = values.current
    values.current = defaults
    if (!follows) return
    for (const name of Object.keys({ ...last, ...defaults })) {
      const now = defaults[name]
      if (isSame(last[name], now)) continue
      const is_untouched = isSame(form.getValues(name), before.current[name])
      before.current[name] = now
      if (is_untouched) form.setValue(name, now)
    }
  })
  /** Begins a sending; call what it answers once that is done. */
  const sending = () => {
    const [sent, then] = [{ ...form.getValues() }, values.current]
    return () => {
      if (!follows) return
      for (const [name, value] of Object.entries(sent)) {
        // Fields typed into in the meantime were not sent.
        if (!isSame(form.getValues(name), value)) continue
        const now = values.current[name]
        if (isSame(now, then[name])) before.current[name] = value
        else form.setValue(name, now)
      }
    }
  }
  return { before, sending }
}
