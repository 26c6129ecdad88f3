// The operator's settings of backups.
import { z } from 'zod'
import {
  address,
  backupsKept,
  flag,
  postgresAddress,
  publicKeys,
  schedule,
  setting,
  text,
  wholeNumber,
} from './setting-shapes.ts'

export const backup_settings = {
  BACKUP_FOLDER: setting(
    'Where `npm run backup` puts backups. Better on another disk than DATA_FOLDER.',
    z.string().default('backups'),
  ),
  BACKUP_SCHEDULE: setting(
    'When the worker makes a backup: minute, hour, day, month, weekday, in UTC. Default: never.',
    schedule.optional(),
    '17 2 * * *',
  ),
  BACKUP_KEEP: setting(
    'How many of those to keep: one each of the last days, weeks and months.',
    backupsKept,
    '7 days, 4 weeks, 12 months',
  ),
  BACKUP_WITH_KEY: setting(
    'Put the installation’s key into those. Off: keep it elsewhere, or they open nothing.',
    flag(true),
  ),
  BACKUP_ENCRYPT_TO: setting(
    'Public keys of age (age-keygen makes pairs), separated by commas: only the private key of one of them opens those.',
    publicKeys,
    'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
  ),
  BACKUP_LATE_HOURS: setting(
    'After how many hours without a backup System health and the alerts say so.',
    wholeNumber(26, 1, 8760),
  ),
  BACKUP_DRILL: setting(
    'When that worker also restores one for trial into a scratch database and proves it; off: never.',
    z.union([z.literal('off'), schedule]).default('41 4 1 * *'),
  ),
  BACKUP_DRILL_URL: setting(
    'An empty database for that. Default: one next to the real one, for which its login needs createdb.',
    postgresAddress.optional(),
    'postgres://owner:secret@127.0.0.1:5432/drill',
  ),
  BACKUP_S3_ENDPOINT: setting(
    'S3-compatible storage that backups are copied to. BACKUP_FOLDER then keeps the newest alone.',
    address.optional(),
    'https://s3.eu-central-1.amazonaws.com',
  ),
  BACKUP_S3_BUCKET: setting('The bucket there, for backups alone.', text, 'healthfund-backups'),
  BACKUP_S3_REGION: setting('Its region.', z.string().default('us-east-1')),
  BACKUP_S3_ACCESS_KEY_ID: setting(
    'The access key, which may list, read, write and delete there.',
    text,
  ),
  BACKUP_S3_SECRET_ACCESS_KEY: setting('And its secret.', text),
} as const
