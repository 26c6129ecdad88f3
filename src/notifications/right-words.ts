// Notifications about rights for the company. A part of words.contract.ts.
import { rightNames } from '#users/rights.contract.ts'
import type { NoticeWriter } from './by-the-clock.ts'

const namesIn = (rights: string) => rightNames(rights.split(','))

export const right_notices: Record<string, NoticeWriter> = {
  right_given: ({ text, day }) => {
    const several = text('right').includes(',')
    const it = several ? 'them' : 'it'
    const what = `you have ${several ? 'new rights' : 'a new right'}: ${namesIn(text('right'))}`
    const until = text('until') ? `, until ${day(text('until'))}` : ''
    const by = `An owner of your company gave ${it} to you${until}.`
    return text('from')
      ? [
          `From ${day(text('from'))} ${what}`,
          `${by} You’ll be notified when ${several ? 'they begin' : 'it begins'}.`,
        ]
      : [`Y${what.slice(1)}`, `${by} The menu shows what you can do with ${it}.`]
  },
  right_ended: ({ text }) => {
    const [rights, their, them] = text('right').includes(',')
      ? ['rights', 'Their', 'them']
      : ['right', 'Its', 'it']
    const stays =
      text('left') === 'true'
        ? 'Your other rights stay.'
        : 'You have no other right; your account stays, as an employee’s.'
    if (text('by') === 'owner_before') {
      return [
        `Your right was cancelled before it began: ${namesIn(text('right'))}`,
        `An owner of your company cancelled it. ${stays}`,
      ]
    }
    const ended =
      text('by') === 'day'
        ? `${their} last day is over.`
        : `An owner of your company ended ${them}.`
    return [`Your ${rights} ended: ${namesIn(text('right'))}`, `${ended} ${stays}`]
  },
  right_waits: ({ who, text }) => [
    text('right')
      ? `Right to confirm: ${namesIn(text('right'))}`
      : 'A right is waiting for your confirmation',
    `${who} was given it by another owner. It takes effect once you confirm it.`,
  ],
  admin_waits: ({ who, text }) => [
    `${text('by') === 'provider' ? 'The provider' : 'Another owner'} made somebody an admin of your company`,
    `${who} can use their rights once an owner confirms them in Settings. ` +
      `Remove ${who} there if none of you asked for this.`,
  ],
  admin_by_provider: ({ who, text }) => [
    'The provider made somebody an admin of your company',
    `${who} has their rights ${text('begins') ? 'in a day' : 'at once'}, as there was no owner to confirm them. ` +
      'Ask the provider if none of you asked for this.',
  ],
  right_given_there: ({ text }) => [
    'A company gave somebody a right',
    `An owner of ${text('company')} gave it. For a day the two count as one person where two must approve.`,
  ],
  rights_removed: () => [
    'You are no longer a Company Admin',
    'Another admin of your company removed you. Your account stays, as an employee’s.',
  ],
}
