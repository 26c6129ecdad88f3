import { PublicPage } from './PublicPage.tsx'

export function TermsPage() {
  return (
    <PublicPage title="Terms of Service">
      <p>
        The terms of this installation have not been published yet. Until they are, the agreement
        between your company and the provider of this service is what holds.
      </p>
    </PublicPage>
  )
}
