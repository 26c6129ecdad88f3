import { system_api } from '#api/system-api.ts'
import { counted } from '#ui/figures.ts'
import type { Installation } from '#system/system.contract.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'
import { Card } from '#ui/Card.tsx'
import { Facts, type Fact } from '#ui/Facts.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'

/** How the installation is set up, to be read: it is changed where it runs. */
export function InstallationCard() {
  const installation = useRead(system_api.installation, {})
  const send = useWrite(system_api.test_mail, ({ to }) => `A test mail is on its way to ${to}`)
  if (!installation) {
    return (
      <Card title="Installation">
        <Skeleton className="h-72 w-full" />
      </Card>
    )
  }
  return (
    <>
      <Card title="Operator">
        <Facts facts={operatorOf(installation)} />
      </Card>
      <Card
        title="Mail"
        actions={
          <Button size="small" loading={send.pending} onClick={() => send({})}>
            Send a test mail
          </Button>
        }
      >
        <Facts
          facts={[
            ['Mail server', installation.mail.server ?? 'Not set: emails stay in the mailbox'],
            ['Sender', installation.mail.from],
          ]}
        />
      </Card>
      <Card title="Storage and backups">
        <Facts facts={storageOf(installation)} />
      </Card>
      <Card title="Limits">
        <Facts facts={limitsOf(installation)} />
      </Card>
    </>
  )
}

const not_set = 'Not set'

const operatorOf = ({ operator, site_url, version }: Installation): Fact[] => [
  ['Name', operator.name ?? not_set],
  ['Address', operator.address ?? not_set],
  ['Email', operator.email ?? not_set],
  ['Country', operator.country ?? not_set],
  ['Site', site_url ?? 'Not set: for this machine only'],
  ['Version', version],
]

function storageOf({ files, backups }: Installation): Fact[] {
  const { days, weeks, months } = backups.keep
  return [
    ['Receipts', files],
    ['Backups', backups.place],
    ['Schedule', backups.schedule ?? 'Not on this server'],
    ['Kept', `${counted(days, 'day')}, ${counted(weeks, 'week')}, ${counted(months, 'month')}`],
    ['Encrypted', backups.encrypted ? 'Yes' : 'No'],
    ['Restored for trial', backups.drill ?? 'Not on this server'],
  ]
}

/** Zero is no limit. */
const upTo = (number: number, unit: string) => (number === 0 ? 'No limit' : `${number} ${unit}`)

const limitsOf = ({ limits }: Installation): Fact[] => [
  ['Session', upTo(limits.session_days, 'days')],
  ['Session without a visit', upTo(limits.session_idle_days, 'days')],
  ['Session of an admin', upTo(limits.admin_session_hours, 'hours')],
  ['Without an open page', upTo(limits.admin_idle_minutes, 'minutes')],
  ['Account mails', `${limits.mail_per_hour} per hour`],
]
