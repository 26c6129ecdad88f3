import { Status, type BadgeTone } from '#ui/Badge.tsx'
import type { CompanyStatus } from './companies.contract.ts'

export const statusLabels: Record<CompanyStatus, string> = {
  active: 'Active',
  pending: 'Pending',
  suspended: 'Suspended',
}

const tones: Record<CompanyStatus, BadgeTone> = {
  active: 'good',
  pending: 'accent',
  suspended: 'bad',
}

export const CompanyStatusBadge = ({ status }: { status: CompanyStatus }) => (
  <Status tone={tones[status]}>{statusLabels[status]}</Status>
)
