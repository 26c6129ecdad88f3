import { dateText, dateTitle, type DateShow } from './date-words.ts'

export { dateText, threeLetters } from './date-words.ts'

type Props = {
  /** An ISO time, or a calendar date, which is the same day in every time zone. */
  value: string
  show?: DateShow
}

export function DateText({ value, show = 'day' }: Props) {
  return (
    <time dateTime={value} title={dateTitle(value)} className="figures whitespace-nowrap">
      {dateText(value, show)}
    </time>
  )
}
