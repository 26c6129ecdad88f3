import { Status, type BadgeTone } from '#ui/Badge.tsx'
import type { PayRun } from './payouts.contract.ts'

const names = { made: 'Awaiting release', released: 'Released', cancelled: 'Cancelled' }
const tones: Record<PayRun['status'], BadgeTone> = {
  made: 'accent',
  released: 'good',
  cancelled: 'neutral',
}

export const RunStatusBadge = ({ status }: { status: PayRun['status'] }) => (
  <Status tone={tones[status]}>{names[status]}</Status>
)
