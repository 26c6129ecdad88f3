// A name, as lists, mails and the record show it between other words: of a person, a company, a key, a group, a file.
import { z } from 'zod'

// U+0000 stays, and is refused: PostgreSQL keeps it nowhere.
const white_space = /[\p{Z}\t-\r\u0085]/gu
const turns_around = String.raw`\u202a-\u202e\u2066-\u2069`
const nobody_sees = String.raw`\u00ad\u115f\u1160\u180e\u200b\u2060-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb`
const dropped = new RegExp(
  String.raw`(?!\0)\p{Cc}|\u034f|\u17b4|\u17b5|[${turns_around}${nobody_sees}\u{e0000}-\u{e007f}]`,
  'gu',
)

// Marks of direction, joiners and variant selectors stay beside other characters; alone nobody sees them.
const visible = new RegExp(
  String.raw`[^ \u061c\u180b-\u180d\u180f\u200c-\u200f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]`,
  'u',
)

/** The same rule as `one_line` of one-line.sql, which every row that is written goes by. */
export function oneLine(text: string): string {
  const line = text.replace(white_space, ' ').replace(dropped, '').replace(/ +/g, ' ').trim()
  return visible.test(line) ? line : ''
}

export const OneLine = z.string().overwrite(oneLine)

/** The same rule as `name_line`: a person or a company is not called by a sign alone. */
export function nameLine(text: string): string {
  const line = oneLine(text)
  return /[\p{L}\p{Nd}]/u.test(line) ? line : ''
}

const NameLine = z.string().overwrite(nameLine)

export const name_max = 100

const named = (what: string) =>
  NameLine.min(2, `${what} must be at least 2 characters`).max(
    name_max,
    `${what} must be at most ${name_max} characters`,
  )

/** The name of a person or a company. */
export const Name = named('Name')
/** The same where a form asks for both. */
export const CompanyName = named('Company name')

const too_long = `At most ${name_max} characters`

/** A company that somebody names when they sign up, or doesn't. */
export const NamedCompany = NameLine.max(name_max, too_long).refine(
  ({ length }) => length !== 1,
  'Company name must be at least 2 characters',
)

/** The names of a sign-up, by the form and by the protocol. */
export const SignUpNames = z.object({
  full_name: NameLine.min(1, 'Full name is required')
    .min(2, 'Name must be at least 2 characters')
    .max(name_max, too_long),
  company_name: NamedCompany.optional(),
})

const out_of_place = new RegExp(String.raw`(?![\t\n\r])\p{Cc}|[${turns_around}]`, 'gu')

/** A text of several lines keeps its line breaks, and loses characters that would show it otherwise than it reads. */
export const withoutControls = (text: string): string => text.replace(out_of_place, '')
