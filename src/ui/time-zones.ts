// Time zones as fields and texts show them.

/** Browsers give zones by names that the tz database has replaced. */
const renamed: Record<string, string> = {
  'Africa/Asmera': 'Africa/Asmara',
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Catamarca': 'America/Argentina/Catamarca',
  'America/Coral_Harbour': 'America/Atikokan',
  'America/Cordoba': 'America/Argentina/Cordoba',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'America/Jujuy': 'America/Argentina/Jujuy',
  'America/Louisville': 'America/Kentucky/Louisville',
  'America/Mendoza': 'America/Argentina/Mendoza',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Asia/Saigon': 'Asia/Ho_Chi_Minh',
  'Atlantic/Faeroe': 'Atlantic/Faroe',
  'Europe/Kiev': 'Europe/Kyiv',
  'Pacific/Enderbury': 'Pacific/Kanton',
  'Pacific/Ponape': 'Pacific/Pohnpei',
  'Pacific/Truk': 'Pacific/Chuuk',
}

export const zoneName = (zone: string) => (renamed[zone] ?? zone).replaceAll('_', ' ')

/** Time zones by their present names; a zone is stored under the name that the browser has for it. */
export const timeZones: Record<string, string> = Object.fromEntries(
  [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => [
    zone,
    zoneName(zone),
  ]),
)

/** The reader's own, where fields have it. */
export function timeZoneHere(): string {
  const own_zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return own_zone in timeZones ? own_zone : 'UTC'
}
