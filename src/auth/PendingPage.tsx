import { Building2, Hourglass, MailCheck, ShieldOff } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { Button } from '#ui/Button.tsx'
import type { Me, WaitsFor } from '#users/users.contract.ts'
import { ChangeRequest } from './ChangeRequest.tsx'
import { AuthFrame, textLink } from './AuthFrame.tsx'
import { codePage } from './code-page.ts'
import { useAuth } from './context.ts'
import { ResendConfirmation } from './ResendConfirmation.tsx'

const LOOK_AGAIN_MS = 5_000

type Missing = { icon: ReactNode; title: string; what: ReactNode; how: ReactNode }

/** The page of somebody who is signed in and waits: what is missing, and how to get it. */
export function PendingPage({ me }: { me: Me }) {
  const { signOut } = useAuth()
  const { icon, title, what, how } = missingOf(me)
  return (
    <AuthFrame
      title={title}
      description={what}
      footer={
        <>
          Signed in as <span className="font-medium wrap-anywhere text-ink">{me.email}</span>
        </>
      }
    >
      <div className="flex flex-col gap-6">
        <div className="flex gap-4 rounded-card border border-line bg-ground p-4 text-sm">
          <span className="mt-0.5 text-primary *:size-5">{icon}</span>
          <div className="min-w-0 flex-1 text-soft">{how}</div>
        </div>
        {me.waiting_for === 'email_confirmation' && (
          <>
            <ResendConfirmation email={me.email} />
            <Link to={codePage('signup', me.email)} className={textLink}>
              Enter the code from the email instead
            </Link>
          </>
        )}
        {canAskAgain(me) && (
          <>
            <p className="text-sm text-soft">{requestOf(me)}</p>
            <ChangeRequest me={me} />
          </>
        )}
        <div className="flex flex-wrap gap-3">
          <LookAgain />
          <Button variant="quiet" onClick={() => void signOut()}>
            Logout
          </Button>
        </div>
      </div>
    </AuthFrame>
  )
}

const canAskAgain = ({ status, waiting_for }: Me) =>
  status === 'pending' &&
  ['super_admin_approval', 'company_approval', 'unknown_company'].includes(waiting_for ?? '')

/** The page goes on by itself once the last thing is there; the button is for the impatient. */
function LookAgain() {
  const { reload } = useAuth()
  const [loading, setLoading] = useState(false)
  const [checked, setChecked] = useState(false)
  useEffect(() => {
    const refresh = () => {
      if (document.visibilityState === 'visible') void reload()
    }
    const timer = setInterval(refresh, LOOK_AGAIN_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [reload])
  const ask = async () => {
    setLoading(true)
    await reload()
    setLoading(false)
    setChecked(true)
  }
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button loading={loading} onClick={() => void ask()}>
        Check again
      </Button>
      <output className="text-ui text-soft">{checked && !loading && 'Not yet'}</output>
    </div>
  )
}

function missingOf(me: Me): Missing {
  if (me.status === 'suspended') return suspended
  return me.waiting_for ? missing[me.waiting_for](me) : approval
}

const suspended: Missing = {
  icon: <ShieldOff aria-hidden />,
  title: 'Your account is suspended',
  what: 'You can’t use Healthfund with this account at the moment.',
  how: 'Your company’s HR, or the provider’s staff, can lift the suspension. Please ask them.',
}

const approval: Missing = {
  icon: <Hourglass aria-hidden />,
  title: 'Waiting for approval',
  what: 'Your account exists, but nobody has approved it yet.',
  how: 'You get an email as soon as that happens. This page updates automatically.',
}

const companyOf = (me: Me) => me.company?.name ?? 'your company'
const domainOf = (email: string) => email.split('@')[1] ?? 'your company'

const namedAnother = ({ requested_company: named, company, email }: Me) =>
  named && company && named !== company.name
    ? `You named your company “${named}”; addresses at ${domainOf(email)} belong to ${company.name}. `
    : ''

const missing: Record<WaitsFor, (me: Me) => Missing> = {
  email_confirmation: (me) => ({
    icon: <MailCheck aria-hidden />,
    title: 'Confirm your email address',
    what: 'One step is missing before you can start.',
    how: (
      <>
        Open the link that we sent to{' '}
        <span className="font-medium wrap-anywhere text-ink">{me.email}</span>. It asks for your
        password again and works for one hour. Nothing there? Look into the spam folder, or get a
        new link.
      </>
    ),
  }),
  // Unused here: the guard shows two pages of their own for these.
  two_step: () => approval,
  new_password: () => approval,
  super_admin_approval: () => ({
    ...approval,
    what: 'A Super Admin is never approved automatically.',
    how: 'An active Super Admin approves you on their Users page. This page updates automatically.',
  }),
  company_approval: (me) => ({
    ...approval,
    what: `${companyOf(me)} has not approved you yet.`,
    how: (
      <>
        {namedAnother(me)}An administrator of {companyOf(me)}
        {me.role === 'company_admin' ? ', or the provider, approves you.' : ' approves you.'} Ask
        your HR if it takes long. This page updates automatically.
      </>
    ),
  }),
  unknown_company: (me) => ({
    icon: <Building2 aria-hidden />,
    title: me.company_of_address
      ? 'You don’t belong to a company yet'
      : 'We don’t know your company yet',
    what: whyUnknown(me),
    how: (
      <>
        {!me.company_of_address &&
          'If this is a private address, sign up with your work address instead. Otherwise ask '}
        {me.company_of_address && 'Ask '}
        your HR whether your company uses Healthfund: they can add you on their Employees page, with
        this account.
      </>
    ),
  }),
}

function whyUnknown({ company_of_address: company, email }: Me) {
  const domain = domainOf(email)
  if (!company) return `No company has registered ${domain} for its people.`
  return company.passed_over === 'elsewhere'
    ? `You said that you don’t belong to ${company.name}, which has the addresses at ${domain}.`
    : `${company.name}, which has the addresses at ${domain}, declined your request.`
}

function requestOf({ role, company, requested_company: named }: Me) {
  if (role === 'super_admin') return 'You asked to be a Super Admin.'
  const of = company?.name ?? (named ? `“${named}”` : 'your company')
  return role === 'company_admin'
    ? `You asked to be a Company Admin / HR of ${of}.`
    : `You asked to join ${of} as an employee.`
}
