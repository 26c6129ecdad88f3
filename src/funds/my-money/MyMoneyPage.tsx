import { FileText } from 'lucide-react'
import { api } from '#api/api.ts'
import { useRead } from '#ui/ask.ts'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Page } from '#ui/Page.tsx'
import { useFilter } from '#ui/url-state.ts'
import { Balances, Entries } from '#funds/ledger/Entries.tsx'
import { CanClaim } from './CanClaim.tsx'
import { MyYearCard } from './MyYearCard.tsx'
import { NextPayout } from './NextPayout.tsx'
import { PlanYearKey } from '#funds/terms.contract.ts'
import { VerifyCard } from '#funds/ledger/VerifyCard.tsx'
import { YearChoice } from '#funds/YearChoice.tsx'

/** All of a person's own money: what was granted, used and paid, and every entry that says so. */
export function MyMoneyPage() {
  const [chosen, choose] = useFilter('year')
  const plan_year = PlanYearKey.safeParse(chosen).data
  const year = useRead(api.funds.my_year, { plan_year }, { keep: true })
  const known = { plan_year, currency: year?.currency ?? 'EUR' }
  return (
    <Page
      title="My Money"
      description={
        year
          ? `Plan year ${dateText(year.plan_year)} – ${dateText(year.ends_on)}${year.closed ? ', closed' : ''}`
          : 'Plan year'
      }
      actions={
        <>
          {year && year.years.length > 1 && (
            <YearChoice years={year.years} value={year.plan_year} onChange={choose} />
          )}
          <DownloadButton
            icon={FileText}
            faint
            disabled={!year}
            file={() => api.funds.print_my_statement({ plan_year })}
          >
            Statement as PDF
          </DownloadButton>
        </>
      }
    >
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <CanClaim year={year} />
        <NextPayout />
      </div>
      <MyYearCard year={year} />
      {year && <Entries key={year.plan_year} {...known} own />}
      {year && <Balances {...known} own />}
      <VerifyCard own />
    </Page>
  )
}
