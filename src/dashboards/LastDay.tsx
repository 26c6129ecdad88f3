import { api } from '#api/api.ts'
import { lastDayOver } from '#shared/last-day.ts'
import { useRead } from '#ui/ask.ts'
import { today } from '#ui/calendar-days.ts'
import { Callout } from '#ui/Callout.tsx'
import { dateText } from '#ui/DateText.tsx'

/** A leaver's last day, and until when they can claim. */
export function LastDay() {
  const funds = useRead(api.funds.mine, {})
  if (!funds?.left_on) return null
  const { left_on, filing_ends_on } = funds
  const over = lastDayOver(left_on)
  return (
    <Callout title={`Your last day at the company ${over ? 'was' : 'is'} ${dateText(left_on)}`}>
      {filing_ends_on && filing_ends_on < today()
        ? `Claims for services until then could be submitted until ${dateText(filing_ends_on)}.`
        : 'Services until that day can be claimed' +
          (filing_ends_on ? ` until ${dateText(filing_ends_on)}. ` : '. ') +
          'Ask HR if the day is wrong.'}
    </Callout>
  )
}
