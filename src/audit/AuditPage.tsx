import { Card } from '#ui/Card.tsx'
export const AuditPage = () => <Card>…</Card>
