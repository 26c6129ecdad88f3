import { dateText } from '#ui/DateText.tsx'
import { inputLook } from '#ui/Field.tsx'

type Props = { years: string[]; value: string; onChange: (year: string) => void }

export const YearChoice = ({ years, value, onChange }: Props) => (
  <select
    aria-label="Plan year"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className={`${inputLook} h-9! w-auto!`}
  >
    {years.map((year) => (
      <option key={year} value={year}>
        {`From ${dateText(year)}`}
      </option>
    ))}
  </select>
)
