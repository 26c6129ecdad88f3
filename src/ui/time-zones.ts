// Time zones as fields show them.

export const timeZones: Record<string, string> = Object.fromEntries(
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zone.replaceAll('_', ' '),
  ]),
)

/** The reader's own, where fields have it. */
export function timeZoneHere(): string {
  const here = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return here in timeZones ? here : 'UTC'
}
