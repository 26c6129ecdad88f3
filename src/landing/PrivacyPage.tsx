import { PublicPage } from './PublicPage.tsx'

export function PrivacyPage() {
  return (
    <PublicPage title="Privacy">
      <p>
        The privacy policy of this installation has not been published yet. What the product itself
        does: it sets no tracking cookies and loads nothing from other sites. Your session is kept
        in this browser until you sign out.
      </p>
      <p>
        Receipts are seen by you and by the administrators of your company, never by the provider’s
        staff.
      </p>
    </PublicPage>
  )
}
