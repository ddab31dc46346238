import pino from 'pino'
import type { Log } from '../log.ts'

/** Creates a log that discards everything. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
