import { Inbox } from 'lucide-react'
import { lazy_api } from '#api/lazy-api.ts'
import { useRead } from '#ui/ask.ts'
import { Badge, Status } from '#ui/Badge.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText } from '#ui/DateText.tsx'
import { Empty, NoMatch } from '#ui/Empty.tsx'
import { FilterMenu } from '#ui/FilterMenu.tsx'
import { count, counted } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import { Pager } from '#ui/Pager.tsx'
import { Table } from '#ui/Table.tsx'
import { usePageKey, useUrlState } from '#ui/url-state.ts'
import { InquirySheet } from './InquirySheet.tsx'
import { InquiryState, type Inquiry } from './inquiries.contract.ts'

const states: Record<InquiryState, string> = {
  open: 'Open',
  answered: 'Answered',
  suspect: 'Suspected spam',
}

export function InquiriesPage() {
  const [state] = useUrlState('state')
  const [open, setOpen] = useUrlState('inquiry')
  const { after } = usePageKey()
  const filter = { state: InquiryState.safeParse(state).data, after }
  const found = useRead(lazy_api.inquiries.list, filter, { keep: true })
  return (
    <Page
      title="Inquiries"
      description="What visitors wrote on the contact page. Messages are deleted after a year."
    >
      <Card flush>
        <div className="flex flex-wrap items-center gap-3 border-b border-line p-4 sm:px-5">
          <FilterMenu label="State" name="state" options={states} />
          {found && found.open > 0 && <Badge tone="accent">{count(found.open)} open</Badge>}
        </div>
        <Table
          label="Inquiries"
          rows={found?.inquiries}
          onPress={({ id }) => setOpen(id)}
          empty={
            state ? (
              <NoMatch title="No matching inquiries" filters={['state']} />
            ) : (
              <Empty icon={<Inbox aria-hidden />} title="No inquiries yet">
                A message sent on the contact page appears here at once, with a notification.
              </Empty>
            )
          }
          columns={{
            From: (inquiry) => (
              <span className="block min-w-0">
                <span className="block">{inquiry.full_name}</span>
                <span className="block text-ui font-normal text-soft">{inquiry.email}</span>
              </span>
            ),
            Company: ({ company }) => company,
            People: { cell: ({ people }) => count(people), end: true },
            State: { phone: 'below_end', cell: (inquiry) => <InquiryStatus inquiry={inquiry} /> },
            Received: {
              phone: 'end',
              cell: ({ received_at }) => <DateText value={received_at} show="ago" />,
              end: true,
            },
          }}
        />
        <Pager
          next={found?.next}
          summary={found && counted(found.inquiries.length, 'inquiry', 'inquiries')}
        />
      </Card>
      <InquirySheet id={open || undefined} onClose={() => setOpen('')} />
    </Page>
  )
}

function InquiryStatus({ inquiry }: { inquiry: Inquiry }) {
  if (inquiry.suspect) return <Status tone="bad">Suspected spam</Status>
  return inquiry.answered_at ? (
    <Status tone="good">Answered</Status>
  ) : (
    <Status tone="accent">Open</Status>
  )
}
