import { useActor } from '#ui/actor.ts'
import { BookPage } from './BookPage.tsx'
import { SetUpPage } from './SetUpPage.tsx'

/** Employees book; the provider's staff and HR set up what can be booked. */
export const HealthChecksPage = () =>
  useActor().role === 'employee' ? <BookPage /> : <SetUpPage />
