// Values that the form fills in as somebody types, and the fields that it leaves alone because somebody typed there.
import { useEffect, useMemo, useRef, type FormEvent } from 'react'
import type { ClaimOptions } from '#claims/claims.contract.ts'
import { useFormContext } from 'react-hook-form'

export type TouchedFields = ReturnType<typeof useTouchedFields>

/** The fields that the person has touched since the form was opened. */
export function useTouchedFields() {
  const names = useRef(new Set<string>())
  return useMemo(
    () => ({
      has: (name: string) => names.current.has(name),
      forget: () => names.current.clear(),
      note: (event: FormEvent) => {
        const { name } = event.target as HTMLInputElement
        if (name) names.current.add(name)
      },
    }),
    [],
  )
}

/** The amount claimed is the bill's, until somebody claims less. */
export function useFollowingAmount(touched: TouchedFields) {
  const form = useFormContext()
  const bill = form.watch('bill_cents') as string
  const before = useRef(bill)
  useEffect(() => {
    if (bill === before.current || form.getValues('lines')) return
    const amount = (form.getValues('amount_cents') ?? '') as string
    const follows = amount === '' || amount === before.current
    before.current = bill
    if (!follows || (touched.has('amount_cents') && amount !== '')) return
    form.setValue('amount_cents', bill, { shouldValidate: form.formState.isSubmitted })
  }, [bill, form, touched])
}

/** A type belongs to a category: another category clears it, and a category's only type is chosen at once. */
export function useFittingType(options: ClaimOptions) {
  const form = useFormContext()
  const category = form.watch('category') as string | undefined
  const type_id = form.watch('type_id') as string | undefined
  useEffect(() => {
    if (!type_id) return
    const fits = options.types.some((type) => type.id === type_id && type.category === category)
    if (!fits) form.setValue('type_id', '')
  }, [category, type_id, options, form])
}
