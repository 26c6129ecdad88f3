// Gaps: steps of the policy in force that lack people, or would without one of its reviewers; and the words for them.
import { z } from 'zod'
import { Refusal } from '#lib/contract.ts'
import { countsFrom, NextSecondPerson } from '#users/rights.contract.ts'

export type PolicyGaps = z.infer<typeof PolicyGaps>
export const PolicyGaps = z.object({
  /** The approvals that a claim may need, against the reviewers there are. */
  needed: z.int(),
  reviewers: z.int(),
  /** How many of the reviewers still count as one with whoever gave them the right, and who counts next. */
  not_yet: z.int(),
  next_second_person: NextSecondPerson.nullable(),
  /** The reason why the rights of the reviewer without whom they are asked don't end but knowingly. */
  refusals: z.object({ end: Refusal }),
  steps: z
    .object({
      number: z.int(),
      /**
       * Why the step lacks people: nobody it names can decide, somebody of those who approve together can't, its deputy can't,
       * those it names are away without a deputy, or nobody is in its departments or groups.
       */
      gap: z.enum([
        'named',
        'owners',
        'together',
        'manager',
        'deputy',
        'away',
        'department',
        'group',
      ]),
      /** The names of the people, or of the departments and groups. */
      names: z.string().array(),
      /** The deputy who is asked instead; null: any reviewer. */
      instead: z.string().nullable(),
    })
    .array(),
})

type StepGap = PolicyGaps['steps'][number]

const joined = (names: readonly string[], by: string) =>
  names.length < 2
    ? (names[0] ?? 'somebody')
    : `${names.slice(0, -1).join(', ')} ${by} ${names.at(-1)}`

/** The consequence for a claim: it waits or somebody else is asked, but nothing is approved for want of a person. */
export function gapSentence({ gap, names, instead }: StepGap, step = 'It'): string {
  const who = joined(names, 'and')
  const then = instead
    ? `Its deputy ${instead} decides instead.`
    : 'Another reviewer decides instead; without one, claims wait.'
  if (gap === 'away') {
    const are = names.length > 1 ? 'are' : 'is'
    return `${step} asks ${who}, who ${are} away with no deputy who can decide. Claims wait until they are back.`
  }
  if (gap === 'department') {
    return `${step} is for people in ${who}, but there are none. If it was renamed, choose the new name.`
  }
  if (gap === 'group') return `${step} is for the group ${who}, but nobody is in it.`
  const cannot = 'can’t decide without the right Reviewer'
  if (gap === 'named') return `${step} names only ${who}, who ${cannot}. ${then}`
  if (gap === 'owners') return `${step} asks an owner, and ${who} ${cannot}. ${then}`
  if (gap === 'together') return `${step} needs ${who}, who ${cannot}. ${then}`
  if (gap === 'manager') return `${step} asks the manager, and ${who} ${cannot}. ${then}`
  return `${step} has ${who} as deputy, who ${cannot}, so it would have no deputy.`
}

export function tooFew({
  needed,
  reviewers,
  not_yet,
  next_second_person,
}: PolicyGaps): string | undefined {
  const approvals = needed === 1 ? 'one approval' : `${needed} approvals by different people`
  if (reviewers >= needed) {
    return needed > reviewers - not_yet && next_second_person
      ? `A claim may need ${approvals}. ${countsFrom(next_second_person)}; such a claim may wait until then.`
      : undefined
  }
  const there = reviewers === 1 ? 'is 1 reviewer' : `are ${reviewers} reviewers`
  return (
    `A claim may need ${approvals}, and there ${there}. ` +
    'Such a claim waits until somebody else has the Reviewer right.'
  )
}
