// What is shown: every address and its screen. Who may open it stands in `paths.ts`; the guard reads it there.
import type { ComponentType, ReactNode } from 'react'
import { createBrowserRouter, Outlet, type RouteObject } from 'react-router'
import { AuthProvider } from '#auth/AuthProvider.tsx'
import { VisitorsOnly } from '#auth/Guard.tsx'
import { SignedIn } from '#auth/SignedIn.tsx'
import { CrashPage } from '#errors/CrashPage.tsx'
import { NotFoundPage } from '#errors/NotFoundPage.tsx'
import { pages, type PageName } from '#paths.ts'
import { Waiting } from '#ui/Spinner.tsx'
import { Toaster } from '#ui/Toaster.tsx'
import { TooltipRoot } from '#ui/Tooltip.tsx'

export { menus, pages, paths } from '#paths.ts'

type Screen = () => Promise<ComponentType>

const screens: Record<PageName, Screen> = {
  demo: async () => (await import('#landing/DemoPage.tsx')).DemoPage,
  contact: async () => (await import('#landing/ContactPage.tsx')).ContactPage,
  terms: async () => (await import('#landing/TermsPage.tsx')).TermsPage,
  privacy: async () => (await import('#landing/PrivacyPage.tsx')).PrivacyPage,
  parts: async () => (await import('#ui/PartsPage.tsx')).PartsPage,

  login: async () => (await import('#auth/LoginPage.tsx')).LoginPage,
  signup: async () => (await import('#auth/SignupPage.tsx')).SignupPage,
  forgot_password: async () => (await import('#auth/ForgotPasswordPage.tsx')).ForgotPasswordPage,
  reset_password: async () => (await import('#auth/ResetPasswordPage.tsx')).ResetPasswordPage,
  verify: async () => (await import('#auth/VerifyPage.tsx')).VerifyPage,
  setup: async () => (await import('#auth/SetupPage.tsx')).SetupPage,

  super_admin: async () =>
    (await import('#dashboards/SuperAdminDashboardPage.tsx')).SuperAdminDashboardPage,
  company_admin: async () =>
    (await import('#dashboards/CompanyAdminDashboardPage.tsx')).CompanyAdminDashboardPage,
  employee: async () =>
    (await import('#dashboards/EmployeeDashboardPage.tsx')).EmployeeDashboardPage,
  companies: async () => (await import('#companies/CompaniesPage.tsx')).CompaniesPage,
  users: async () => (await import('#users/UsersPage.tsx')).UsersPage,
  reports: async () => (await import('#reports/ReportsPage.tsx')).ReportsPage,
  employees: async () => (await import('#employees/EmployeesPage.tsx')).EmployeesPage,
  claims: async () => (await import('#claims/ClaimsPage.tsx')).ClaimsPage,
  my_claims: async () => (await import('#claims/MyClaimsPage.tsx')).MyClaimsPage,
  dependents: async () => (await import('#dependents/DependentsPage.tsx')).DependentsPage,
  settings: async () => (await import('#settings/SettingsPage.tsx')).SettingsPage,
}

const names = Object.keys(pages) as PageName[]
const isGuarded = (name: PageName) => typeof pages[name].open_to !== 'string'

/** The page's name travels as the route's handle: the guard finds the roles by it. */
function routeOf(name: PageName, wrap: (page: ReactNode) => ReactNode = (page) => page) {
  const lazy = async () => {
    const Page = await screens[name]()
    return { element: wrap(<Page />) }
  }
  return { path: pages[name].path, handle: name, lazy } satisfies RouteObject
}

const open = names.filter((name) => pages[name].open_to === 'anyone').map((name) => routeOf(name))
const visitors = names
  .filter((name) => pages[name].open_to === 'visitors')
  .map((name) => routeOf(name, (page) => <VisitorsOnly>{page}</VisitorsOnly>))
const guarded = names.filter(isGuarded).map((name) => routeOf(name))

function Root() {
  return (
    <TooltipRoot>
      <AuthProvider>
        <Outlet />
      </AuthProvider>
      <Toaster />
    </TooltipRoot>
  )
}

export const makeRouter = () =>
  createBrowserRouter([
    {
      element: <Root />,
      errorElement: <CrashPage />,
      hydrateFallbackElement: <Waiting />,
      children: [
        ...open,
        ...visitors,
        { element: <SignedIn />, children: guarded },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ])
