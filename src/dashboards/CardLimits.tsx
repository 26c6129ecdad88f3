import type { Category } from '#categories.ts'
import { useMyLimits } from '#claims/rules/my-limits.ts'

type Props = {
  balance: { category: Category; balance_cents: number }
  plan_year: string | undefined
}

/** Lines of a balance card: what the company's limits leave of it. */
export const CardLimits = ({ balance, plan_year }: Props) =>
  useMyLimits(plan_year, { quiet: true })
    ?.texts(balance)
    .map((text) => <li key={text}>{text}</li>)
