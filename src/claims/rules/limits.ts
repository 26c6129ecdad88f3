// The limits of a policy: what is left of each, when it lets one claim again, and the words for both.
import { countedInEnglish } from '#lib/counted.ts'
import { categoryNames } from '#categories.ts'
import { monthsAfter } from '#lib/days.ts'
import { withCurrency, type Draft, type Requirement, type RuleFacts } from './rule-facts.ts'
import type { LimitKind, OwnLimit, LimitTerms } from '#claims/policies/limits.contract.ts'
import type { TraceRule, TraceStep } from '#claims/words.contract.ts'

/** A claim as far as its form is filled in, and its plan year. */
type DraftClaim = {
  category?: string | undefined
  type_id?: string | undefined
  dependent_id?: string | null | undefined
  plan_year: string | undefined
}

export type Limit = LimitTerms & {
  /** Used in the claim's plan year; if the limit is per dependent, by the claim's dependent. */
  used_cents: number
  /** The service dates of other claims that count. */
  on_days: string[]
}

/** The person's limits that apply to a claim, with what they count already. */
export const limitsUnder = <Own extends OwnLimit>(
  limits: readonly Own[],
  { category, type_id, dependent_id = null, plan_year }: DraftClaim,
): (Omit<Own, 'counted'> & Limit)[] =>
  limits
    .filter(
      (limit) =>
        (!limit.category || limit.category === category) &&
        (!limit.type_id || limit.type_id === type_id) &&
        (limit.kind !== 'per_dependent' || dependent_id),
    )
    .map(({ counted, ...limit }) => {
      const theirs = counted.filter((one) => one.dependent_id === dependent_id)
      const of_all = limit.kind === 'per_year' ? counted : theirs
      const bills = new Map(theirs.map(({ bill, service_on }) => [bill, service_on]))
      return {
        ...limit,
        used_cents: of_all
          .filter((one) => one.plan_year === plan_year)
          .reduce((used, { cents }) => used + cents, 0),
        on_days: limit.kind === 'frequency' ? [...bills.values()] : [],
      }
    })

const leftOf = ({ cents, used_cents }: Limit) => Math.max(0, (cents ?? 0) - used_cents)

/** The first day, from this one on, on which one more claim keeps within the limit. */
export function nextAllowedDay({ on_days, claims, months }: Limit, day: string): string {
  const later = on_days.map((one) => monthsAfter(one, months ?? 0)).filter((one) => one > day)
  const fits = (service_on: string) => {
    const days = [...on_days, service_on].toSorted()
    return !days.some((first, at) => {
      const last = days[at + (claims ?? 1)]
      const too_many = last !== undefined && last < monthsAfter(first, months ?? 0)
      return too_many && first <= service_on && service_on <= last
    })
  }
  return [day, ...later.toSorted()].find(fits) ?? day
}

/** The day on which the waiting time of somebody who joined then is over. */
export const waitEndsOn = ({ months }: Pick<LimitTerms, 'months'>, joined_on: string) =>
  monthsAfter(joined_on, months ?? 0)

type LimitedFund = Pick<DraftClaim, 'category' | 'plan_year'> & { balance_cents: number }
type InCurrency = Pick<RuleFacts, 'currency'>

export function limitText(limit: LimitTerms, f: InCurrency): string {
  const { kind, cents, claims, months } = limit
  if (kind === 'frequency') return frequencyText(claims ?? 1, months ?? 1)
  if (kind === 'waiting') return `from ${countedInEnglish(months ?? 1, 'month')} after joining`
  const most = `at most ${withCurrency(cents ?? 0, f)} in a plan year`
  return kind === 'per_dependent' ? `${most} for each dependent` : most
}

/** The yearly limit that leaves least to the claim, as far as it is filled in, and how much. */
export function leastOf(limits: readonly OwnLimit[], draft: DraftClaim, f: InCurrency) {
  const [limit] = limitsUnder(limits, draft)
    .filter(({ kind }) => kind === 'per_year')
    .toSorted((one, other) => leftOf(one) - leftOf(other))
  return limit && { ...limit, left_cents: leftOf(limit), text: limitText(limit, f) }
}

/**
 * All limits of a category in words, with what is left unless that differs by dependent, or is more than the category's own
 * balance.
 */
export const limitTexts = (
  limits: readonly OwnLimit[],
  { category, plan_year, balance_cents }: LimitedFund,
  day: string,
  f: InCurrency & { joined_on: string },
): string[] =>
  limits
    .filter((limit) => !limit.category || limit.category === category)
    .filter((limit) => limit.kind !== 'waiting' || waitEndsOn(limit, f.joined_on) > day)
    .map((limit) => {
      const apart = limit.kind === 'frequency' && category === 'solidarity'
      const type_id = limit.type_id ?? undefined
      const [under] = apart ? [] : limitsUnder([limit], { category, type_id, plan_year })
      const binds = under && !(under.category && leftOf(under) > balance_cents)
      const blocked = under && earliestDay(under, day, f.joined_on) !== null
      return binds || blocked
        ? standText(under, day, f)
        : `${scopeOf(limit)}: ${limitText(limit, f)}`
    })

const leftText = (limit: Limit, f: InCurrency) =>
  leftOf(limit) > 0 ? `${withCurrency(leftOf(limit), f)} left` : 'nothing left'

/** The first day on which a claim of this day could be made; null if it can be made. */
export function earliestDay(limit: Limit, day: string, joined_on: string): string | null {
  const { kind } = limit
  if (kind !== 'waiting' && kind !== 'frequency') return null
  const from = kind === 'waiting' ? waitEndsOn(limit, joined_on) : nextAllowedDay(limit, day)
  return from > day ? from : null
}

/** The limit and what is left of it, or the day from which it lets one claim again, for a draft of this day. */
export function standText(
  limit: Limit,
  day: string,
  f: InCurrency & { joined_on: string },
): string {
  const text = `${scopeOf(limit)}: ${limitText(limit, f)}`
  const from = earliestDay(limit, day, f.joined_on)
  if (from !== null) {
    const what = (limit.name ?? limit.category) ? scopeOf(limit) : 'anything'
    const why =
      limit.kind === 'waiting'
        ? `${countedInEnglish(limit.months ?? 1, 'month')} after joining`
        : frequencyText(limit.claims ?? 1, limit.months ?? 1)
    return `You can’t claim ${what} before ${from}: ${why}`
  }
  return limit.cents === null ? text : `${text}, ${leftText(limit, f)}`
}

const limitsOfKind = (kind: LimitKind, draft: Draft, { limits, year }: RuleFacts) =>
  limitsUnder(limits, { ...draft, plan_year: year?.plan_year }).filter(
    (limit) => limit.kind === kind,
  )

const tightest = (kind: 'per_year' | 'per_dependent', draft: Draft, facts: RuleFacts) =>
  limitsOfKind(kind, draft, facts).toSorted((one, other) => leftOf(one) - leftOf(other))[0]
const rarest = (draft: Draft, facts: RuleFacts) =>
  limitsOfKind('frequency', draft, facts).toSorted((one, other) =>
    nextAllowedDay(other, draft.service_on).localeCompare(nextAllowedDay(one, draft.service_on)),
  )[0]
const longest = (draft: Draft, facts: RuleFacts) =>
  limitsOfKind('waiting', draft, facts).toSorted(
    (one, other) => (other.months ?? 0) - (one.months ?? 0),
  )[0]

const yearly = (
  kind: 'per_year' | 'per_dependent',
  rule: Requirement['rule'],
  code: Requirement['code'],
): Requirement => ({
  rule,
  code,
  field: 'amount_cents',
  needs: ['amount_cents', 'category', 'service_on'],
  fulfilled: (draft, facts) => {
    const limit = tightest(kind, draft, facts)
    return !limit || draft.amount_cents <= leftOf(limit)
  },
  otherwise: (draft, facts) => {
    const limit = tightest(kind, draft, facts)
    return limit ? standText(limit, draft.service_on, { ...facts, ...facts.person }) : ''
  },
  inputs: (draft, facts) => {
    const limit = tightest(kind, draft, facts)
    return limit
      ? {
          scope: scopeOf(limit),
          limit_cents: limit.cents,
          used_cents: limit.used_cents,
          left_cents: leftOf(limit),
        }
      : null
  },
})

/** One requirement for each kind of limit; of several of a kind the tightest is reported. */
export const limit_requirements: readonly Requirement[] = [
  {
    rule: 'waiting_time',
    code: 'claimed_too_soon',
    field: 'service_on',
    needs: ['category', 'service_on'],
    fulfilled: (draft, facts) => {
      const limit = longest(draft, facts)
      return !limit || draft.service_on >= waitEndsOn(limit, facts.person.joined_on)
    },
    otherwise: (draft, facts) => {
      const limit = longest(draft, facts)
      return limit ? standText(limit, draft.service_on, { ...facts, ...facts.person }) : ''
    },
    inputs: (draft, facts) => {
      const limit = longest(draft, facts)
      if (!limit) return null
      const begins_on = waitEndsOn(limit, facts.person.joined_on)
      return { scope: scopeOf(limit), months: limit.months, begins_on }
    },
  },
  {
    rule: 'frequency',
    code: 'claimed_too_often',
    field: 'service_on',
    needs: ['category', 'service_on'],
    fulfilled: (draft, facts) => {
      const limit = rarest(draft, facts)
      return !limit || nextAllowedDay(limit, draft.service_on) === draft.service_on
    },
    otherwise: (draft, facts) => {
      const limit = rarest(draft, facts)
      return limit ? standText(limit, draft.service_on, { ...facts, ...facts.person }) : ''
    },
    inputs: (draft, facts) => {
      const limit = rarest(draft, facts)
      if (!limit) return null
      const { claims, months } = limit
      return {
        scope: scopeOf(limit),
        claims,
        months,
        again_on: nextAllowedDay(limit, draft.service_on),
      }
    },
  },
  yearly('per_year', 'yearly_limit', 'yearly_limit_reached'),
  yearly('per_dependent', 'dependent_limit', 'dependent_limit_reached'),
]

/** Limits that apply to an appeal as well. */
export const limit_codes: ReadonlySet<string> = new Set(limit_requirements.map(({ code }) => code))

const limit_rules = new Set<TraceRule | null>(limit_requirements.map(({ rule }) => rule))

/** A claim that is looked at again keeps what its limits said when it was submitted. */
export const withLimits = (trace: readonly TraceStep[], before: readonly TraceStep[]) =>
  trace.toSpliced(
    trace.findIndex(({ rule }) => rule === 'receipt'),
    0,
    ...before.filter(({ rule }) => limit_rules.has(rule)),
  )

const scopeOf = ({ name, category }: Pick<LimitTerms, 'name' | 'category'>) =>
  name ?? (category ? categoryNames[category] : 'All claims')

export const frequencyText = (claims: number, months: number) => {
  const times = claims === 1 ? 'once' : claims === 2 ? 'twice' : `${claims} times`
  return `${times} every ${months === 1 ? 'month' : `${months} months`}`
}
