import { createPortal } from 'react-dom'
import './day-sheet.css'
import type { CheckProvider, ListedSlot } from './health-checks.contract.ts'
import { timeIn, wholeDay } from './moments.ts'

type Props = {
  provider: CheckProvider
  day: string
  list: ListedSlot[]
}

/** The day on paper: who comes when. On screen it is not there. */
export function DaySheet({ provider, day, list }: Props) {
  const { name, offers, place, of_company, time_zone } = provider
  const open = list.filter((slot) => !slot.closed_at)
  return createPortal(
    <div className="day-sheet" aria-hidden="true">
      <h2>
        {offers}, {wholeDay(day)}
      </h2>
      <p>
        {name}, {place}
      </p>
      <table>
        <thead>
          <tr>
            <th>Time</th>
            <th>{of_company ? 'Name' : 'Code'}</th>
            <th>Came</th>
          </tr>
        </thead>
        <tbody>
          {open.flatMap((slot) =>
            Array.from({ length: slot.capacity }, (_, at) => (
              <tr key={`${slot.id}-${at}`}>
                <td>{at === 0 ? timeIn(slot.starts_at, time_zone) : ''}</td>
                <td>{slot.visitors[at] ?? ''}</td>
                <td>{slot.visitors[at] && <span className="day-sheet-box" />}</td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </div>,
    document.body,
  )
}
