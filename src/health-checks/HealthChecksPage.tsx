import { useMay } from '#may.ts'
import { BookPage } from './BookPage.tsx'
import { SetUpPage } from './SetUpPage.tsx'

/** Employees book; the provider's staff and HR set up what can be booked. */
export const HealthChecksPage = () =>
  useMay()('health_checks.add_provider') ? <SetUpPage /> : <BookPage />
