import { paths } from '#paths.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { PublicPage } from './PublicPage.tsx'

export function ContactPage() {
  return (
    <PublicPage title="Contact" description="Questions about Healthfund for your company?">
      <p>
        The contact form is not open yet. You can start without us: create an account for your
        company, and set up employees, plan and policy before any money moves.
      </p>
      <div>
        <ButtonLink to={paths.signup} variant="primary" size="large">
          Get Started
        </ButtonLink>
      </div>
    </PublicPage>
  )
}
