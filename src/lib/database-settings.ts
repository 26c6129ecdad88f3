// The place of the data, and of a standby for what reads long.
import { databaseAddress, postgresAddress, setting, wholeNumber } from './setting-shapes.ts'

export const database_settings = {
  DATABASE_URL: setting(
    'A PostgreSQL 15 or newer, as a login that may create roles; of several hosts, separated by commas, the one that takes ' +
      'writes (?target_session_attrs=read-write). Default: one of our own in DATA_FOLDER.',
    databaseAddress.optional(),
    'postgres://owner:secret@127.0.0.1:5432/healthfund',
  ),
  DATABASE_READ_URL: setting(
    'A standby of it, by the same login, for what reads long and may be a moment late: reports, exports, verification, ' +
      'backups. Default: the database itself.',
    postgresAddress.optional(),
    'postgres://owner:secret@127.0.0.1:5433/healthfund',
  ),
  DATABASE_READ_LATE_SECONDS: setting(
    'How many seconds that standby may be late; if it is later, or away, the database itself is read.',
    wholeNumber(60, 0, 86_400),
  ),
} as const
