// The states of a company in words.
import type { CompanyStatus } from './companies.contract.ts'

export const company_words: Record<CompanyStatus, string> = {
  active: 'Active',
  pending: 'Pending',
  suspended: 'Suspended',
}
