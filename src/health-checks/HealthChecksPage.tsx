import { paths } from '#paths.ts'
import { useMay } from '#permissions/use-may.ts'
import { ButtonLink } from '#ui/Button.tsx'
import { useUrlState } from '#ui/url-state.ts'
import { BookPage } from './BookPage.tsx'
import { SetUpPage } from './SetUpPage.tsx'

/** Employees book; the provider's staff and HR set up what can be booked. People who are both go from one to the other. */
export function HealthChecksPage() {
  const may = useMay()
  const [book] = useUrlState('book')
  // One's own: only who comes is told of it.
  const [booking] = useUrlState('booking')
  const [sets_up, books] = [may('health_checks.add_provider'), may('health_checks.book')]
  if (!sets_up) return <BookPage />
  if (!books) return <SetUpPage />
  return book || booking ? (
    <BookPage other={<ButtonLink to={paths.health_checks}>Set up health checks</ButtonLink>} />
  ) : (
    <SetUpPage
      other={<ButtonLink to={`${paths.health_checks}?book=yes`}>Book for yourself</ButtonLink>}
    />
  )
}
