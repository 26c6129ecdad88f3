// The shapes that the value of a setting may have.
import { isIP } from 'node:net'
import { z } from 'zod'
import { withHosts } from './several-hosts.server.ts'

export type Setting<S extends z.ZodType> = { about: string; shape: S; example?: string }
export const setting = <S extends z.ZodType>(
  about: string,
  shape: S,
  example?: string,
): Setting<S> => ({
  about,
  shape,
  ...(example === undefined ? {} : { example }),
})

export const flag = (fallback: boolean) =>
  z
    .enum(['on', 'off', 'true', 'false', '1', '0'], 'must be on or off')
    .default(fallback ? 'on' : 'off')
    .transform((word) => ['on', 'true', '1'].includes(word))
export const onOff = z.enum(['on', 'off'], 'must be on or off').optional()
export const wholeNumber = (fallback: number, least: number, most: number) => {
  const message = `must be a whole number from ${least} to ${most}`
  return z.coerce
    .number(message)
    .int(message)
    .min(least, message)
    .max(most, message)
    .default(fallback)
}
export const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )
export const hostsAndRanges = list.refine((entries) => entries.every(isHostOrRange), {
  error: 'must be hosts, addresses or ranges such as 10.20.0.0/16',
})
function isHostOrRange(entry: string) {
  const [address = '', bits, more] = entry.split('/')
  if (isIP(address) === 0) return /^[\w-]+(\.[\w-]+)*$/.test(entry)
  return (
    more === undefined &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  )
}
export const nameServers = list.refine(
  (entries) =>
    entries.every(
      (entry) => isIP(entry.replace(/^\[(.*)\](:\d+)?$|:\d+$/, '$1')) !== 0 || isIP(entry) !== 0,
    ),
  { error: 'must be addresses such as 9.9.9.9 or 127.0.0.1:5353' },
)
/** Public keys of age, as `age-keygen` prints them. */
export const publicKeys = list.refine(
  (keys) => keys.every((key) => /^age1[02-9ac-hj-np-z]{58}$/.test(key)),
  'must be public keys of age: age1…',
)
export const text = z.string().optional()
export const address = z.url({ protocol: /^https?$/, error: 'must be an http(s) address' })
export const postgresAddress = z.url({
  protocol: /^postgres(ql)?$/,
  error: 'must be a postgres:// address',
})
const several_hosts = 'of several hosts needs target_session_attrs=read-write'
/** An address with several hosts becomes one with a single host, and the others beside it. */
export const databaseAddress = z
  .string()
  .transform((host_list, context) => {
    const one = withHosts(host_list)
    if (one === undefined) context.addIssue(several_hosts)
    return one ?? z.NEVER
  })
  .pipe(postgresAddress)
export const base64Key = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64')

const part = /^(?:\*(?:\/[1-9]\d*)?|(\d+)(?:-(\d+))?)$/
const ranges = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 6],
] as const

/** The worker's clock reads only numbers that their field knows. */
const isField = (field: string, [least, most]: readonly [number, number]) =>
  field.split(',').every((one) => {
    const [whole, ...ends] = part.exec(one) ?? []
    return whole && ends.every((end) => !end || (Number(end) >= least && Number(end) <= most))
  })

export const schedule = z
  .string()
  .regex(/^[\d*/,-]+( [\d*/,-]+){4}$/, {
    error: 'must be five fields: minute hour day month weekday',
    abort: true,
  })
  .refine(
    (value) => value.split(' ').every((field, at) => isField(field, ranges[at] ?? [0, 0])),
    'must have minutes 0-59, hours 0-23, days 1-31, months 1-12 and weekdays 0-6, Sunday first',
  )
export const backupsKept = z
  .string()
  .regex(/^\d+ days?, \d+ weeks?, \d+ months?$/, 'must be like 7 days, 4 weeks, 12 months')
  .default('7 days, 4 weeks, 12 months')
  .transform((text) => {
    const [days = 0, weeks = 0, months = 0] = text.split(', ').map((part) => parseInt(part))
    return { days, weeks, months }
  })
