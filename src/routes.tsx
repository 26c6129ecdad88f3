// Every address and its screen. `paths.ts` says who may open which.
import { lazy, Suspense, useLayoutEffect, useState, type ComponentType } from 'react'
import { NavigationType, Outlet, Route, Routes, useNavigationType } from 'react-router'
import { AuthProvider } from '#auth/AuthProvider.tsx'
import { VisitorsOnly } from '#auth/Guard.tsx'
import { SignedIn } from '#auth/SignedIn.tsx'
import { CrashBoundary } from '#errors/CrashBoundary.tsx'
import { NotFoundPage } from '#errors/NotFoundPage.tsx'
import { Find } from '#find/Find.tsx'
import { Bell } from '#notifications/Bell.tsx'
import { pages, type OpenTo, type PageName } from '#paths.ts'
import { PageWatcher } from '#ui/back-closes.ts'
import { whenOnline } from '#ui/load-again.ts'
import { WhenOnline } from '#ui/Offline.tsx'
import { Waiting } from '#ui/Spinner.tsx'
import { Toaster } from '#ui/Toaster.tsx'

export { menus, pages, paths } from '#paths.ts'

type LoadScreen = () => Promise<ComponentType>

// One screen at two addresses: opening a claim keeps the queue where it stands.
const reviewQueue: LoadScreen = async () =>
  (await import('#claims/review/ClaimsPage.tsx')).ClaimsPage

const screens: Record<PageName, LoadScreen> = {
  demo: async () => (await import('#landing/DemoPage.tsx')).DemoPage,
  contact: async () => (await import('#landing/ContactPage.tsx')).ContactPage,
  terms: async () => (await import('#landing/TermsPage.tsx')).TermsPage,
  privacy: async () => (await import('#landing/PrivacyPage.tsx')).PrivacyPage,
  accessibility: async () => (await import('#landing/AccessibilityPage.tsx')).AccessibilityPage,

  login: async () => (await import('#auth/LoginPage.tsx')).LoginPage,
  signup: async () => (await import('#auth/SignupPage.tsx')).SignupPage,
  forgot_password: async () => (await import('#auth/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  reset_password: async () => (await import('#auth/ResetPasswordPage.tsx')).ResetPasswordPage,
  verify: async () => (await import('#auth/VerifyPage.tsx')).VerifyPage,
  sso: async () => (await import('#auth/SsoPage.tsx')).SsoPage,
  setup: async () => (await import('#auth/SetupPage.tsx')).SetupPage,

  super_admin: async () =>
    (await import('#dashboards/SuperAdminDashboardPage.tsx')).SuperAdminDashboardPage,
  company_admin: async () =>
    (await import('#dashboards/CompanyAdminDashboardPage.tsx')).CompanyAdminDashboardPage,
  employee: async () =>
    (await import('#dashboards/EmployeeDashboardPage.tsx')).EmployeeDashboardPage,
  inquiries: async () => (await import('#inquiries/InquiriesPage.tsx')).InquiriesPage,
  companies: async () => (await import('#companies/CompaniesPage.tsx')).CompaniesPage,
  company: async () => (await import('#companies/CompanyPage.tsx')).CompanyPage,
  users: async () => (await import('#users/UsersPage.tsx')).UsersPage,
  reports: async () => (await import('#reports/ReportsPage.tsx')).ReportsPage,
  employees: async () => (await import('#employees/EmployeesPage.tsx')).EmployeesPage,
  people_file: async () => (await import('#employees/lists/PeopleFilePage.tsx')).PeopleFilePage,
  groups: async () => (await import('#employees/groups/GroupsPage.tsx')).GroupsPage,
  person: async () => {
    const [{ PersonPage }, { PersonHistory }, { Adjustments }, { Blocks }] = await Promise.all([
      import('#employees/person/PersonPage.tsx'),
      import('#audit/PersonHistory.tsx'),
      import('#funds/adjustments/Adjustments.tsx'),
      import('#payouts/Blocks.tsx'),
    ])
    return () => (
      <PersonPage
        history={(id) => <PersonHistory person_id={id} />}
        adjustments={(person) => <Adjustments person={person} />}
        blocks={(person) => <Blocks person={person} />}
      />
    )
  },
  funds: async () => (await import('#funds/FundsPage.tsx')).FundsPage,
  claims: reviewQueue,
  claim: reviewQueue,
  payouts: async () => (await import('#payouts/PayoutsPage.tsx')).PayoutsPage,
  claim_policy: async () => (await import('#claims/policies/PolicyPage.tsx')).PolicyPage,
  my_claim: async () => (await import('#claims/MyClaimPage.tsx')).MyClaimPage,
  my_claims: async () => (await import('#claims/MyClaimsPage.tsx')).MyClaimsPage,
  my_money: async () => (await import('#funds/my-money/MyMoneyPage.tsx')).MyMoneyPage,
  dependents: async () => (await import('#dependents/DependentsPage.tsx')).DependentsPage,
  health_checks: async () => (await import('#health-checks/HealthChecksPage.tsx')).HealthChecksPage,
  audit: async () => (await import('#audit/AuditPage.tsx')).AuditPage,
  needs_you: async () => (await import('#dashboards/NeedsYouPage.tsx')).NeedsYouPage,
  connections: async () => (await import('#connections/ConnectionsPage.tsx')).ConnectionsPage,
  notifications: async () =>
    (await import('#notifications/NotificationsPage.tsx')).NotificationsPage,
  settings: async () => {
    const parts = [
      import('#settings/SettingsPage.tsx'),
      import('#auth/SecuritySettings.tsx'),
    ] as const
    const [{ SettingsPage }, { SecuritySettings }] = await Promise.all(parts)
    return () => <SettingsPage security={<SecuritySettings />} />
  },
  erasures: async () => (await import('#privacy/ErasuresPage.tsx')).ErasuresPage,
}

const names = Object.keys(pages) as PageName[]

type LoadedScreen = { Screen: ComponentType; number: number; arrived: boolean }
const loaded = new Map<LoadScreen, LoadedScreen>()

function lazily(load: LoadScreen): LoadedScreen {
  const known: LoadedScreen = {
    arrived: false,
    number: loaded.size,
    Screen: lazy(async () => {
      const screen = await whenOnline(load)
      known.arrived = true
      return { default: screen }
    }),
  }
  return known
}

/** Another screen begins at its top, but for who goes back; a sheet over a list leaves the list where it is. */
function Top() {
  // How this screen was come to, and not what was done on it since.
  const [came] = useState(useNavigationType())
  useLayoutEffect(() => {
    if (came !== NavigationType.Pop) scrollTo(0, 0)
  }, [came])
  return null
}

function screenOf(name: PageName) {
  const load = screens[name]
  const known = loaded.get(load) ?? lazily(load)
  loaded.set(load, known)
  const { Screen } = known
  return (
    <WhenOnline screen={known}>
      <Top key={known.number} />
      <Screen />
    </WhenOnline>
  )
}

const routesOf = (belongs: (open_to: OpenTo) => boolean) =>
  names
    .filter((name) => belongs(pages[name].open_to))
    .map((name) => <Route key={name} path={pages[name].path} element={screenOf(name)} />)

const visitors = (
  <VisitorsOnly>
    <Outlet />
  </VisitorsOnly>
)

const tools = (
  <>
    <Find />
    <Bell />
  </>
)

// The tree is made once, so that a loaded screen stays loaded.
const tree = (
  <>
    {routesOf((open_to) => open_to === 'anyone')}
    <Route element={visitors}>{routesOf((open_to) => open_to === 'visitors')}</Route>
    <Route element={<SignedIn tools={tools} />}>
      {routesOf((open_to) => Array.isArray(open_to))}
    </Route>
    <Route path="*" element={<NotFoundPage />} />
  </>
)

export function Screens() {
  return (
    <CrashBoundary>
      <PageWatcher />
      <AuthProvider>
        <Suspense fallback={<Waiting />}>
          <Routes>{tree}</Routes>
        </Suspense>
      </AuthProvider>
      <Toaster />
    </CrashBoundary>
  )
}
