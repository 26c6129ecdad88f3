import { money } from './figures.ts'

type Props = { cents: number; currency: string; whole?: boolean }

export function Money({ cents, currency, whole = false }: Props) {
  return <span className="figures whitespace-nowrap">{money(cents, currency, whole)}</span>
}
