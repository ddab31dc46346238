import { commonErrors, type AppError } from '@headwater/contract'
import { httpErrors } from './http-errors.ts'

/** PostgreSQL's codes for text that it cannot store: an invalid byte sequence and an untranslatable character. */
const text = ['22021', '22P05']
const diskFull = '53100'
/** The database is stopping, has crashed, is starting, or has no free connection. */
const unavailable = ['57P01', '57P02', '57P03', '53300']
/** Nothing listens at the address. */
const unreachable = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']
/** Messages of the driver for a closed connection. These errors have no code. */
const connectionClosed = /^Connection terminated|^Client has encountered a connection error/

/**
 * Returns the error for the caller if the database, and not our code, caused the failure. Returns undefined otherwise.
 */
export function explainDatabaseError(error: unknown): AppError | undefined {
  const { code = '', syscall, address, message } = error as NodeJS.ErrnoException & { address?: string }
  if (text.includes(code)) return httpErrors.invalidText()
  if (code === diskFull) return commonErrors.databaseFull()
  const isConnecting = syscall === 'connect' && address?.includes('.s.PGSQL.') === true
  // The statement was written to a pooled connection whose other end had been killed.
  const isWriting = code === 'EPIPE' && syscall === 'write'
  if (
    unavailable.includes(code) ||
    (unreachable.includes(code) && isConnecting) ||
    isWriting ||
    connectionClosed.test(message)
  )
    return commonErrors.databaseAway()
  return undefined
}
