import { useState } from 'react'
import { Link } from 'react-router'
import { useMay } from '#permissions/use-may.ts'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { DownloadButton } from '#ui/DownloadButton.tsx'
import { NoMatch } from '#ui/Empty.tsx'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { Tabs } from '#ui/Tabs.tsx'
import { useFilter as useChoice, knownOf, usePageKey, useUrlState } from '#ui/url-state.ts'
import { audit, AuditAct } from './audit.contract.ts'
import { AuditFilters } from './AuditFilters.tsx'
import { ActLine, EntrySheet } from './EntrySheet.tsx'
import { SignIns } from './SignIns.tsx'
import { VerifyRecord } from './VerifyRecord.tsx'
import { actsOf, type AuditStory } from './story.ts'

export function AuditPage() {
  const of_platform = useActor().role === 'super_admin'
  const filter = useFilter()
  const [kind, show] = useChoice('show', 'Changes')
  const of_sign_ins = kind === 'Sign-ins'
  return (
    <Page
      title="Audit"
      description={
        of_platform ? (
          'Changes by the provider’s staff, and changes to companies. Recorded automatically.'
        ) : (
          <OfCompany />
        )
      }
      actions={of_sign_ins ? <ExportSignIns /> : <ExportButton filter={filter} />}
    >
      <Tabs
        label="Audit"
        shown={of_sign_ins ? 'Sign-ins' : 'Changes'}
        onShow={show}
        tabs={{
          Changes: !of_sign_ins && (
            <div className="flex flex-col gap-6">
              <VerifyRecord />
              <Card flush>
                <AuditFilters actor_id={filter.actor_id} />
                <Entries filter={filter} of_platform={of_platform} />
              </Card>
            </div>
          ),
          'Sign-ins': of_sign_ins && (
            <Card flush>
              <SignIns />
            </Card>
          ),
        }}
      />
    </Page>
  )
}

/** A company's money is in its ledger, to which this leads. */
function OfCompany() {
  const reads = useMay()('funds.statement')
  return (
    <>
      Every change in your company: who, when and from where. Recorded automatically. Movements of
      money are in the{' '}
      {reads ? (
        <Link to={`${paths.funds}?tab=Statement`} className="text-primary-ink underline">
          statement
        </Link>
      ) : (
        'statement'
      )}
      .
    </>
  )
}

type AuditFilter = Parameters<typeof lazy_api.audit.export>[0]

function useFilter(): AuditFilter {
  const [search] = useUrlState('search')
  const [from] = useUrlState('from')
  const [to] = useUrlState('to')
  const [table] = useUrlState('table')
  const [act] = useUrlState('act')
  const [actor_id] = useUrlState('actor')
  return knownOf(audit.export.input, {
    search: search || undefined,
    from: from || undefined,
    to: to || undefined,
    table: table || undefined,
    act: AuditAct.safeParse(act).data,
    actor_id: actor_id || undefined,
  })
}

const page_entries = 100

function Entries({ filter, of_platform }: { filter: AuditFilter; of_platform: boolean }) {
  const { after } = usePageKey()
  const [shown, setShown] = useState<AuditStory>()
  // A search takes a while: rows of the page before would pass for its answer, so they are not kept.
  const how = { keep: !filter.search }
  const found = useRead(lazy_api.audit.list, { ...filter, after, limit: page_entries }, how)
  const names = found?.names ?? {}
  const further = found?.searched_to
  return (
    <>
      <Table
        label="Record of changes"
        rows={found && actsOf(found.entries)}
        skeletons={8}
        onPress={setShown}
        empty={
          <NoMatch
            title="Nothing found"
            filters={['search', 'from', 'to', 'table', 'act', 'actor']}
          >
            {further
              ? `None since ${dateText(further, 'moment')}. Next looks further back.`
              : 'No matching entries. Try other words or a longer period.'}
          </NoMatch>
        }
        columns={{
          What: (act) => <ActLine act={act} names={names} />,
          ...(of_platform
            ? {
                Company: {
                  wide_only: true,
                  cell: ({ lead }: AuditStory) => lead.company_name ?? '–',
                },
              }
            : {}),
          'IP address': {
            wide_only: true,
            roomy: true,
            cell: ({ lead }) => (
              <span className="figures whitespace-nowrap text-soft">{lead.address ?? '–'}</span>
            ),
          },
          When: {
            end: true,
            phone: 'below',
            cell: ({ lead }) => <DateText value={lead.at} show="moment" />,
          },
        }}
      />
      <Pager
        next={found?.next}
        summary={further ? `Looked back to ${dateText(further, 'moment')}` : undefined}
      />
      <EntrySheet act={shown} names={names} onClose={() => setShown(undefined)} />
    </>
  )
}

const ExportSignIns = () => (
  <DownloadButton file={() => lazy_api.audit.export_sign_ins({})}>Export CSV</DownloadButton>
)

const ExportButton = ({ filter }: { filter: AuditFilter }) => (
  <DownloadButton file={() => lazy_api.audit.export(filter)}>Export CSV</DownloadButton>
)
