// One line of JSON per event. What people write, own or suffer from never comes in here.
import { pino } from 'pino'

export type Log = ReturnType<typeof makeLog>

export const makeLog = (level: string) =>
  pino({
    level,
    base: null,
    timestamp: () => `,"at":"${new Date().toISOString()}"`,
    redact: ['*.password', '*.token', '*.authorization', '*.email'],
  })
