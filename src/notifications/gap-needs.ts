// The needs of a policy or group that lacks people, in words. A part of needs.contract.ts.

export type NeedWords = {
  /** The text for one; needs that are never several have no number. */
  one: (number: number) => string
  /** The text for several, with their number in words: '12', '99+'. */
  many: (count: string) => string
  /** The label of the button. */
  does: string
  /** The page that has all of them. */
  list: string
}

export const gapWords = {
  step_unfilled: {
    one: () => 'A step of the policy asks somebody who can’t decide any more',
    many: (count) => `${count} steps of the policy ask people who can’t decide any more`,
    does: 'Open policy',
    list: '/dashboard/claims/policy',
  },
  step_away: {
    one: () => 'A step of the policy asks somebody who is away, and nobody stands in',
    many: (count) => `${count} steps of the policy ask people who are away, and nobody stands in`,
    does: 'Open policy',
    list: '/dashboard/claims/policy',
  },
  step_empty: {
    one: () => 'A step of the policy is for a department or group that nobody is in',
    many: (count) => `${count} steps of the policy are for departments or groups that nobody is in`,
    does: 'Open policy',
    list: '/dashboard/claims/policy',
  },
  group_empty: {
    one: () => 'A group is for a department that nobody is in',
    many: (count) => `${count} groups are for departments that nobody is in`,
    does: 'Open groups',
    list: '/dashboard/employees/groups',
  },
  reviewers_missing: {
    one: () => 'Claims need more approvals than you have reviewers',
    many: () => '',
    does: 'Give a right',
    list: '/dashboard/settings#rights',
  },
} satisfies Record<string, NeedWords>
