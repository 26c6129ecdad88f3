// A name, as lists, mails and the record show it between other words: of a person, a company, a key, a group.
import { z } from 'zod'

// U+0000 stays, and is refused: PostgreSQL keeps it nowhere.
const white_space = /[\p{Z}\t-\r\u0085]/gu
const turns_around = String.raw`\u202a-\u202e\u2066-\u2069`
const nobody_sees = String.raw`\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb`
const dropped = new RegExp(
  String.raw`(?!\0)\p{Cc}|\u034f|\u17b4|\u17b5|[${turns_around}${nobody_sees}\u{e0000}-\u{e007f}]`,
  'gu',
)

/** As `one_line` of one-line.sql, which every row that is written goes by. */
export function oneLine(text: string): string {
  const line = text.replace(white_space, ' ').replace(dropped, '').replace(/ +/g, ' ').trim()
  return /[\p{L}\p{Nd}]/u.test(line) ? line : ''
}

export const OneLine = z.string().overwrite(oneLine)

/** The name of a person or a company. */
export const Name = OneLine.min(2, 'Name must be at least 2 characters').max(
  100,
  'Name must be at most 100 characters',
)

const out_of_place = new RegExp(String.raw`(?![\t\n\r])\p{Cc}|[${turns_around}]`, 'gu')

/** A text of several lines keeps them, and loses what would show it otherwise than it reads. */
export const withoutControls = (text: string): string => text.replace(out_of_place, '')
