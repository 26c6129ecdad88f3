import type { ReactNode } from 'react'
import { decimal } from '#lib/money.ts'
import { TextField } from './TextField.tsx'

type Props = {
  name: string
  label: string
  currency: string
  hint?: ReactNode
  required?: boolean
  readOnly?: boolean
}

export function AmountField({ currency, label, ...props }: Props) {
  return (
    <TextField
      {...props}
      label={label}
      inputMode="decimal"
      autoComplete="off"
      placeholder={decimal(0, currency)}
      className="figures text-right"
      aside={<span className="text-ui text-faint">{currency}</span>}
    />
  )
}
