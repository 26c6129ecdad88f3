import { CheckCheck } from 'lucide-react'
import { api } from '#api/api.ts'
import { useRead, useWrite } from '#ui/ask.ts'
import { Button } from '#ui/Button.tsx'

export function ReadAll() {
  const unread = useRead(api.notifications.unread, {})?.unread
  const readAll = useWrite(api.notifications.read_all)
  if (!unread) return null
  return (
    <Button
      size="small"
      variant="quiet"
      icon={CheckCheck}
      loading={readAll.pending}
      onClick={() => readAll({})}
    >
      Mark all as read
    </Button>
  )
}
