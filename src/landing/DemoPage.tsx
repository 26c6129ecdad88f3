import { paths } from '#paths.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { PublicPage } from './PublicPage.tsx'

export function DemoPage() {
  return (
    <PublicPage title="Demo" description="See Healthfund with the eyes of each of its three roles.">
      <p>
        Where the demo world is on, the server prints a sign-in for a Super Admin, a Company Admin
        and an Employee when it starts. Use one of them on the sign-in page.
      </p>
      <div>
        <ButtonLink to={paths.login} variant="primary" size="large">
          Go to sign in
        </ButtonLink>
      </div>
    </PublicPage>
  )
}
