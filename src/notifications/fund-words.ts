// The words of notifications about people's funds and their company’s.
import type { NoticeWriter } from './by-the-clock.ts'

export const fund_notices: Record<string, NoticeWriter> = {
  company_active: ({ text }) =>
    text('was') === 'suspended'
      ? ['Your company is active again', 'Its people can sign in again.']
      : ['Your company is active', 'Contributions can come in now.'],
  contribution_recorded: ({ sum, text }) => [
    `${sum('cents')} came in`,
    `The provider recorded your contribution “${text('reference')}”. Allocate it on Funds.`,
  ],
  contribution_reversed: ({ sum, text }) => [
    `${sum('cents')} was taken out again`,
    `The provider reversed the contribution “${text('reference')}”. The statement on Funds says why.`,
  ],
  category_used: ({ category, number }) => [
    `${category()} has reached ${number('percent')}%`,
    `${number('percent')}% or more of its allocation in this plan year is used. Allocate more or rebalance on Funds.`,
  ],
  company_account_changed: ({ text }) => [
    `The account your company pays from was ${text('change')}`,
    `The bank files of payouts that are not paid yet pay from an account ending in ${text('ends_in')}. ` +
      'If none of your admins did this, look in Audit who did.',
  ],
  fund_low: ({ category }) => [
    `Your ${category()} fund is running low`,
    `Less than a fifth of your ${category()} fund is left for this plan year.`,
  ],
  money_expires: ({ sum, text, day }) => [
    `${sum('cents')} expires soon`,
    text('is_over') === 'true'
      ? `Claim it by ${day(text('filing_ends_on'))}, for bills from up to ${day(text('use_by'))}.`
      : `Use it by ${day(text('use_by'))}, and claim it by ${day(text('filing_ends_on'))}.`,
  ],
  allowance_lowered: ({ category, sum, text, day }) => [
    `You have ${sum('cents')} less to claim for ${category()}`,
    `Your allowance for the year from ${day(text('plan_year'))} was lowered. Open it to see what you can claim.`,
  ],
  allowance_raised: ({ category, sum, text, day }) => [
    `You have ${sum('cents')} more to claim for ${category()}`,
    `Your allowance for the year from ${day(text('plan_year'))} was raised. Open it to see what you can claim.`,
  ],
  balance_adjusted: ({ category, number, money, text }) => {
    const more = number('cents') > 0
    const sum = money(Math.abs(number('cents')), text('currency'))
    return [
      `Your ${category()} fund was ${more ? 'raised' : 'lowered'}`,
      `Your company made it ${sum} ${more ? 'more' : 'less'}. Open it to read why.`,
    ]
  },
}
