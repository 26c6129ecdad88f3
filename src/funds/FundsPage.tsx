import { ArrowLeftRight, Plus } from 'lucide-react'
import { api } from '#api/api.ts'
import { paths } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { useRead } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { dateText } from '#ui/DateText.tsx'
import { Page } from '#ui/Page.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { useFilter, useUrlState } from '#ui/url-state.ts'
import { AllocateDialog } from './AllocateDialog.tsx'
import type { FundOverview } from './funds.contract.ts'
import { PlanYearKey } from './terms.contract.ts'
import { FundsOverview } from './FundsOverview.tsx'
import { PlanTab } from '#funds/plans/PlanTab.tsx'
import { RebalanceDialog } from './RebalanceDialog.tsx'
import { StatementTab } from '#funds/ledger/StatementTab.tsx'
import { YearChoice } from './YearChoice.tsx'

export function FundsPage() {
  const [chosen, choose] = useFilter('year')
  const plan_year = PlanYearKey.safeParse(chosen).data
  const funds = useRead(api.funds.overview, { plan_year }, { keep: true })
  // The tab stands in the address, so that other pages lead straight to it.
  const [tab, show] = useFilter('tab', 'Overview')
  const [open, setOpen] = useUrlState('open')
  const close = () => setOpen('')
  const may = useMay()
  const moves = may('funds.allocate')
  return (
    <Page
      title="Funds"
      description={funds ? describe(funds) : 'Plan year'}
      actions={
        <>
          {funds && funds.years.length > 1 && (
            <YearChoice years={funds.years} value={funds.plan_year} onChange={choose} />
          )}
          {moves && <MoveButtons funds={funds} onOpen={setOpen} />}
        </>
      }
    >
      <Tabs
        label="Funds"
        shown={tab}
        onShow={show}
        links={may('policies.change') ? { 'Claims policy': paths.claim_policy } : {}}
        tabs={{
          Overview: <FundsOverview funds={funds} onAllocate={() => setOpen('allocate')} />,
          ...(may('funds.change_plan') && {
            Plan: (
              <PlanTab
                plan_year={plan_year}
                currency={funds?.currency}
                years={funds?.years ?? []}
                onYear={choose}
              />
            ),
          }),
          ...(may('funds.statement') && {
            Statement: <StatementTab plan_year={plan_year} currency={funds?.currency} />,
          }),
        }}
      />
      {moves && funds && !funds.refusals.allocate && open === 'allocate' && (
        <AllocateDialog funds={funds} onClose={close} />
      )}
      {moves && funds && !funds.refusals.rebalance && open === 'rebalance' && (
        <RebalanceDialog funds={funds} onClose={close} />
      )}
    </Page>
  )
}

type MoveProps = { funds: FundOverview | undefined; onOpen: (dialog: string) => void }

const MoveButtons = ({ funds, onOpen }: MoveProps) => (
  <>
    <Button
      icon={ArrowLeftRight}
      unless={funds?.refusals.rebalance}
      disabled={!funds}
      onClick={() => onOpen('rebalance')}
    >
      Rebalance
    </Button>
    <Button
      variant="primary"
      icon={Plus}
      unless={funds?.refusals.allocate}
      disabled={!funds}
      onClick={() => onOpen('allocate')}
    >
      Allocate
    </Button>
  </>
)

const describe = ({ plan_year, ends_on, closed }: FundOverview) =>
  `Plan year ${dateText(plan_year)} – ${dateText(ends_on)}${closed ? ', closed' : ''}`
