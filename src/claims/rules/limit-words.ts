// How often, how long and for what: the words of a limit, for forms, refusals and the decision trace.
import { categoryNames } from '#categories.ts'
import type { SaidLimit } from '#claims/policies/limits.contract.ts'

export const scopeOf = ({ name, category }: Pick<SaidLimit, 'name' | 'category'>) =>
  name ?? (category ? categoryNames[category] : 'All claims')

export const oftenText = (claims: number, months: number) => {
  const times = claims === 1 ? 'once' : claims === 2 ? 'twice' : `${claims} times`
  return `${times} every ${months === 1 ? 'month' : `${months} months`}`
}
export const monthsText = (months: number) => (months === 1 ? '1 month' : `${months} months`)
