// A calendar's file as a calendar reads it (RFC 5545): lines unfolded, properties by name, components nested.
import assert from 'node:assert/strict'

export type CalendarEvent = {
  method: string
  uid: string
  sequence: number
  status: string
  /** Milliseconds. */
  start: number
  end: number
  summary: string
  location: string
}

export function readCalendar(file: string): CalendarEvent {
  assert.ok(file.endsWith('\r\n'), 'every line ends as the format says')
  const lines = file
    .replace(/\r\n[ \t]/g, '')
    .trimEnd()
    .split('\r\n')
  for (const line of file.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
  const within: string[] = []
  const found = new Map<string, string>()
  for (const line of lines) {
    const { name, value } = propertyOf(line)
    if (name === 'BEGIN') within.push(value)
    else if (name === 'END') assert.equal(within.pop(), value)
    else {
      const key = `${within.at(-1)}.${name}`
      assert.ok(!found.has(key), `${key} stands there once`)
      found.set(key, value)
    }
  }
  assert.deepEqual(within, [], 'all that begins ends')
  assert.equal(lines[0], 'BEGIN:VCALENDAR')
  const lineOf = (key: string) => {
    const value = found.get(key)
    assert.ok(value, `it says ${key}`)
    return value
  }
  assert.equal(lineOf('VCALENDAR.VERSION'), '2.0')
  assert.ok(lineOf('VCALENDAR.PRODID') && lineOf('VEVENT.DTSTAMP'))
  return {
    method: lineOf('VCALENDAR.METHOD'),
    uid: lineOf('VEVENT.UID'),
    sequence: Number(found.get('VEVENT.SEQUENCE') ?? 0),
    status: lineOf('VEVENT.STATUS'),
    start: momentOf(lineOf('VEVENT.DTSTART')),
    end: momentOf(lineOf('VEVENT.DTEND')),
    summary: lineOf('VEVENT.SUMMARY'),
    location: lineOf('VEVENT.LOCATION').replace(/\\(.)/g, '$1'),
  }
}

/** `NAME;PARAM="a:b":value` */
function propertyOf(line: string) {
  const [, name, value] = /^([A-Z-]+)(?:;[A-Z-]+=(?:"[^"]*"|[^":;]*))*:(.*)$/.exec(line) ?? []
  assert.ok(name !== undefined && value !== undefined, `a property: ${line}`)
  return { name, value }
}

/** A moment in UTC, as in a file without time zones. */
function momentOf(value: string): number {
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(value) ?? []
  assert.equal(parts.length, 6, value)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
