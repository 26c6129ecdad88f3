import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMay } from '#permissions/use-may.ts'
import { useActor } from '#ui/actor.ts'
import { useRead } from '#ui/ask.ts'
import { paths } from '#paths.ts'
import { lazy_api } from '#api/lazy-api.ts'
import { Card } from '#ui/Card.tsx'
import { Page } from '#ui/Page.tsx'
import { Section } from '#ui/Section.tsx'
import { AwayCard } from './AwayCard.tsx'
import { BooksCards } from './BooksCards.tsx'
import { CalendarCard } from './CalendarCard.tsx'
import { AnyCompany, OwnCompany } from './CompanyCards.tsx'
import { ErasureCard } from './ErasureCard.tsx'
import { InstallationCard } from './InstallationCard.tsx'
import { MyDataCard } from './MyDataCard.tsx'
import { ProfileCard } from './ProfileCard.tsx'
import { RightsCard } from './RightsCard.tsx'
import { SessionsCard } from './SessionsCard.tsx'
import { SwitchesCard } from './SwitchesCard.tsx'

const reached = 'Your contact details.'

/** `security`: password and second steps, which are the account's own affair. */
export function SettingsPage({ security }: { security: ReactNode }) {
  const { role } = useActor()
  const may = useMay()
  return (
    <Page title="Settings">
      <div className="flex flex-col gap-8">
        <Section
          id="profile"
          title="Profile Information"
          description={role === 'employee' ? `${reached} Your HR sees the same.` : reached}
        >
          <Profile />
        </Section>
        {(role === 'super_admin' || may('settings.change_company')) && (
          <Section
            id="company"
            title="Company Information"
            description={
              role === 'super_admin'
                ? 'Correct a company’s name or domain.'
                : 'Name and domain are managed by the provider. Ask them if one is wrong.'
            }
          >
            {role === 'super_admin' ? <AnyCompany /> : <OwnCompany />}
          </Section>
        )}
        {role === 'company_admin' && <OfTheCompany />}
        <Section
          id="notifications"
          title="Notifications"
          description="You’ll always see these in the app. Choose what we email you."
        >
          <SwitchesCard />
        </Section>
        <Section
          id="security"
          title="Security"
          description="How your account is protected, and where you are signed in."
        >
          {security}
          <SessionsCard />
        </Section>
        <Section
          id="data"
          title="Your data"
          description="Download your data or ask for its deletion."
        >
          <MyDataCard />
          <ErasureCard />
        </Section>
        {role === 'super_admin' && (
          <Section
            id="installation"
            title="Installation"
            description="How this Healthfund is set up. Its operator changes these settings on the server."
          >
            <InstallationCard />
          </Section>
        )}
      </div>
    </Page>
  )
}

/** The settings of an admin for their work and for all of the company. */
function OfTheCompany() {
  const may = useMay()
  return (
    <>
      {may('rights.give') && (
        <Section
          id="rights"
          title="People with rights"
          description="Who may do what for your company. Large claims need two, and payouts once there are two."
        >
          <RightsCard />
        </Section>
      )}
      {may('policies.change') && <Approvals />}
      {may('absences.add') && (
        <Section
          id="away"
          title="When you or a colleague is away"
          description="So that work doesn’t wait for somebody who is away. Your colleagues see the dates."
        >
          <AwayCard />
        </Section>
      )}
      {may('settings.change_calendar') && (
        <Section
          id="calendar"
          title="Calendar"
          description="Where your company is, so that deadlines know its public holidays."
        >
          <CalendarCard />
        </Section>
      )}
      {may('books.change_codes') && (
        <Section
          id="books"
          title="Payroll and books"
          description="What your own systems call each thing, for the files you take from Payouts."
        >
          <BooksCards />
        </Section>
      )}
      {may('connections.keys') && (
        <Section
          id="connections"
          title="Connections"
          description="Sign-in, domains, SCIM, API keys and webhooks of your company."
        >
          <Card>
            <p className="text-sm text-pretty text-soft">
              Let payroll, HR and reports work with Healthfund automatically.{' '}
              <Link className="text-primary-ink underline" to={paths.connections}>
                Open Connections
              </Link>
            </p>
          </Card>
        </Section>
      )}
    </>
  )
}

const Approvals = () => (
  <Section
    id="approvals"
    title="Approvals and limits"
    description="Who approves which claims, and how much people can claim."
  >
    <Card>
      <p className="text-sm text-pretty text-soft">
        Steps of approval, automatic approval and limits are in the policy.{' '}
        <Link className="text-primary-ink underline" to={paths.claim_policy}>
          Open Policy
        </Link>
      </p>
    </Card>
  </Section>
)

function Profile() {
  const profile = useRead(lazy_api.settings.profile, {})
  return (
    <Card>
      <ProfileCard key={profile ? 'there' : 'not yet'} profile={profile} />
    </Card>
  )
}
