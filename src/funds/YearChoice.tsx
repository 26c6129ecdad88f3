import { dateText } from '#ui/DateText.tsx'
import { Select } from '#ui/SelectField.tsx'

type Props = { years: string[]; value: string; onChange: (year: string) => void }

export const YearChoice = ({ years, value, onChange }: Props) => (
  <Select
    aria-label="Plan year"
    value={value}
    onChange={(event) => onChange(event.target.value)}
    className="h-9"
  >
    {years.map((year) => (
      <option key={year} value={year}>
        {`Plan year from ${dateText(year)}`}
      </option>
    ))}
  </Select>
)
