import { useClaimsTabs } from '#permissions/use-may.ts'
import { LinkTabs } from '#ui/LinkTabs.tsx'
import { Page } from '#ui/Page.tsx'
import { Blocks } from './Blocks.tsx'
import { CompanyAccount } from './CompanyAccount.tsx'
import { Overpayments } from './Overpayments.tsx'
import { JournalCard } from './JournalCard.tsx'
import { NextRun } from './NextRun.tsx'
import { RunList } from './RunList.tsx'

export const PayoutsPage = () => (
  <Page title="Payouts" description="Approved claims are paid here: by the bank, or by payroll.">
    <LinkTabs label="Claims" tabs={useClaimsTabs()} />
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <NextRun />
      <CompanyAccount />
    </div>
    <Blocks />
    <Overpayments />
    <RunList />
    <JournalCard />
  </Page>
)
