import { commonErrors, type AppError } from '@headwater/contract'
import { isConnectionError } from '../database/marking-client.ts'
import { httpErrors } from './http-errors.ts'

/** PostgreSQL's codes for text that it cannot store: an invalid byte sequence and an untranslatable character. */
const text = ['22021', '22P05']
const diskFull = '53100'
/**
 * Codes for a lost connection (class 08 without 08P01, which means that we sent an invalid message), and for a database that
 * is starting or stopping, has crashed, has ended an idle session, or has no free connection.
 */
const unavailable = '08000 08001 08003 08004 08006 08007 57P01 57P02 57P03 57P05 53300'.split(' ')
/** Messages of the driver, its pool and the query builder for a closed connection or pool. These errors have no code. */
const connectionClosed = new RegExp(
  `^(?:${[
    'Connection terminated',
    'Client has encountered a connection error',
    'Client was closed',
    'Cannot use a pool after calling end',
    'driver has already been destroyed',
    'Postgres connection has been discarded',
  ].join('|')})`,
)

/**
 * Returns the error for the caller if the database, and not our code, caused the failure. Returns undefined otherwise.
 */
export function explainDatabaseError(error: unknown): AppError | undefined {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (text.includes(code)) return httpErrors.invalidText()
  if (code === diskFull) return commonErrors.databaseFull()
  if (unavailable.includes(code) || isConnectionError(error) || connectionClosed.test(message))
    return commonErrors.databaseAway()
  return undefined
}
