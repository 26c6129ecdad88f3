// The deadline of a claim, in working days.
import { counted } from '#ui/figures.ts'

export function dueText(days_left: number, overdue: boolean): string {
  const days = counted(Math.abs(days_left), 'working day')
  if (overdue) return days_left < 0 ? `${days} overdue` : 'Overdue'
  return days_left > 0 ? `Due in ${days}` : 'Due today'
}
