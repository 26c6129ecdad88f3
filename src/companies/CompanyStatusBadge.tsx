import { Status, type BadgeTone } from '#ui/Badge.tsx'
import type { CompanyStatus } from './companies.contract.ts'
import { company_words } from './words.contract.ts'

const tones: Record<CompanyStatus, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  suspended: 'bad',
}

export const CompanyStatusBadge = ({ status }: { status: CompanyStatus }) => (
  <Status tone={tones[status]}>{company_words[status]}</Status>
)
