import { Mail, Pencil, ShieldOff, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { api } from '#api/api.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { paths } from '#paths.ts'
import type { GivenRight, Holder } from '#users/giving.contract.ts'
import { right_words } from '#users/rights.contract.ts'
import { PasswordDialog } from '#auth/PasswordDialog.tsx'
import { rights_api } from '#api/rights-api.ts'
import { Address } from '#ui/Address.tsx'
import { useRead, useWrite } from '#ui/ask.ts'
import { BackLink } from '#ui/BackLink.tsx'
import { Badge, Status } from '#ui/Badge.tsx'
import { account_tones, account_words } from '#users/words.contract.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { DateText, dateText } from '#ui/DateText.tsx'
import { Empty } from '#ui/Empty.tsx'
import { count } from '#ui/figures.ts'
import { Page } from '#ui/Page.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { Table } from '#ui/Table.tsx'
import { ActivateCompany } from './ActivateCompany.tsx'
import { AdminAway } from './AdminAway.tsx'
import { CompanyActivity } from './CompanyActivity.tsx'
import type { CompanyDetail } from './companies.contract.ts'
import { CompanyFund, CompanyPlan } from './CompanyFund.tsx'
import { CompanyStatusBadge } from './CompanyStatusBadge.tsx'
import { Contributions } from './Contributions.tsx'
import { EditCompany } from './EditCompany.tsx'
import { Facts } from '#ui/Facts.tsx'
import { zoneName } from '#ui/time-zones.ts'
import { InviteAdmin } from './InviteAdmin.tsx'

type CompanyDialog = 'edit' | 'activate' | 'suspend' | 'invite' | undefined

export function CompanyPage() {
  const { id = '' } = useParams()
  const company = useRead(api.companies.find, { id })
  const [open, setOpen] = useState<CompanyDialog>()
  const close = () => setOpen(undefined)
  return (
    <Page
      title={company?.name ?? 'Company'}
      description={<BackLink to={paths.companies}>Companies</BackLink>}
      actions={company && <Actions company={company} onOpen={setOpen} />}
    >
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Details company={company} />
          <CompanyPlan id={id} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <CompanyFund id={id} />
          <Admins id={id} onInvite={() => setOpen('invite')} />
          {company && <Contributions key={id} company={company} />}
        </div>
      </div>
      <CompanyActivity id={id} />
      {company && (
        <>
          <EditCompany
            key={String(open === 'edit')}
            company={company}
            open={open === 'edit'}
            onClose={close}
          />
          {open === 'activate' && <ActivateCompany id={id} onClose={close} />}
          <SuspendCompany company={company} open={open === 'suspend'} onClose={close} />
          <InviteAdmin company={company} open={open === 'invite'} onClose={close} />
        </>
      )}
    </Page>
  )
}

type ActionsProps = { company: CompanyDetail; onOpen: (what: CompanyDialog) => void }

function Actions({ company, onOpen }: ActionsProps) {
  return (
    <>
      <Button icon={Pencil} onClick={() => onOpen('edit')}>
        Edit
      </Button>
      {company.status === 'active' ? (
        <Button icon={ShieldOff} onClick={() => onOpen('suspend')}>
          Suspend
        </Button>
      ) : (
        <Button variant="primary" onClick={() => onOpen('activate')}>
          Activate
        </Button>
      )}
    </>
  )
}

function Details({ company }: { company: CompanyDetail | undefined }) {
  const facts: [string, React.ReactNode][] = company
    ? [
        ['Status', <CompanyStatusBadge key="status" status={company.status} />],
        ['Domain', <DomainFact key="domain" company={company} />],
        ['Registration', company.domain_auto_register ? 'Everybody at the domain' : 'By approval'],
        ['Employees', count(company.employees)],
        ['Currency', company.currency],
        ['Time zone', zoneName(company.time_zone)],
        ['Joined', <DateText key="joined" value={company.created_at} />],
      ]
    : ['Status', 'Domain', 'Registration', 'Employees'].map((name) => [
        name,
        <Skeleton key={name} className="h-4 w-28" />,
      ])
  return (
    <Card title="Details">
      <Facts facts={facts} />
    </Card>
  )
}

const DomainFact = ({ company }: { company: CompanyDetail }) =>
  company.domain ? (
    <span className="inline-flex flex-wrap items-center justify-end gap-2">
      {company.domain}
      <Badge tone={company.domain_proven_at ? 'good' : 'accent'}>
        {company.domain_proven_at ? 'Verified' : 'Not verified yet'}
      </Badge>
    </span>
  ) : (
    <span className="text-faint">None</span>
  )

function Admins({ id, onInvite }: { id: string; onInvite: () => void }) {
  const admins = useRead(rights_api.of_company, { id })
  const absences = useRead(lazy_api.absences.of_company, { company_id: id }) ?? []
  const resend = useWrite(api.users.resend, ({ email }) => `Invitation sent to ${email}`)
  const invite = (
    <Button size="small" icon={UserPlus} onClick={onInvite}>
      Invite admin
    </Button>
  )
  return (
    <Card flush title="Admins" actions={invite}>
      <Table
        label="Admins"
        rows={admins}
        skeletons={2}
        empty={
          <Empty icon={<UserPlus aria-hidden />} title="Nobody runs this company yet">
            Invite somebody from its HR.
          </Empty>
        }
        columns={{
          Name: {
            width: 'sm:w-[26%]',
            cell: ({ full_name, email }) => (
              <span className="block min-w-0">
                <span className="block">{full_name}</span>
                <Address className="block text-ui font-normal text-soft" email={email} />
              </span>
            ),
          },
          Status: (admin) => (
            <span className="flex flex-wrap items-center gap-x-2">
              <AdminStatus admin={admin} />
              {admin.status === 'pending' && (
                <Button
                  size="small"
                  variant="quiet"
                  icon={Mail}
                  loading={resend.sent?.id === admin.id}
                  onClick={() => resend({ id: admin.id })}
                >
                  Resend
                </Button>
              )}
            </span>
          ),
          Rights: {
            width: 'sm:w-[28%]',
            cell: (admin) => <span className="text-soft">{rightsText(admin)}</span>,
          },
          Absence: {
            end: true,
            cell: (admin) => <AdminAway company_id={id} admin={admin} absences={absences} />,
          },
        }}
      />
    </Card>
  )
}

/** Whether none of an admin's rights counts yet, as an owner of the company has to confirm them. */
const isYetToCount = ({ status, rights }: Holder) =>
  status === 'active' && rights.every(({ waits }) => waits)

const AdminStatus = ({ admin }: { admin: Holder }) =>
  isYetToCount(admin) ? (
    <Status tone="accent">Waits for an owner</Status>
  ) : (
    <Status tone={account_tones[admin.status]}>{account_words[admin.status]}</Status>
  )

/** Rights that count, and apart from them the ones that wait or begin later. */
const rightsText = (admin: Holder) =>
  [...Map.groupBy(admin.rights, (right) => notYet(admin, right))]
    .map(([when, rights]) => rights.map(({ kind }) => right_words[kind][0]).join(', ') + when)
    .join('; ')

function notYet(admin: Holder, { waits, begins_at }: GivenRight): string {
  if (waits) return isYetToCount(admin) ? '' : ' (waiting for an owner)'
  return Date.parse(begins_at) > Date.now() ? ` (from ${dateText(begins_at, 'beginning')})` : ''
}

type DialogProps = { company: CompanyDetail; open: boolean; onClose: () => void }

function SuspendCompany({ company, open, onClose }: DialogProps) {
  const suspend = useWrite(api.companies.suspend, ({ name }) => `${name} suspended`)
  return (
    <PasswordDialog
      name={`suspend-${company.id}`}
      open={open}
      onClose={onClose}
      title={`Suspend ${company.name}?`}
      description="All its people are signed out at once and can’t sign in until you activate it again. Nothing is deleted."
      does="Suspend"
      waiting="Suspending..."
      act={() => suspend.submit({ id: company.id })}
    />
  )
}
