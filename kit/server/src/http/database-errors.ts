import { AppError, commonErrors } from '@headwater/contract'

/** PostgreSQL's codes for text that it cannot store: an invalid byte sequence and an untranslatable character. */
const text = ['22021', '22P05']
const diskFull = '53100'
/** It ends, has crashed, just starts, or has no connection left. */
const away = ['57P01', '57P02', '57P03', '53300']
/** Nothing listens where it should. */
const unreachable = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']
/** How the driver tells of a connection that ended; such errors have no code. */
const brokenOff = /^Connection terminated|^Client has encountered a connection error/

/** The error for the caller when the database, and nothing of ours, is why a request failed; else undefined. */
export function explainDatabaseError(error: unknown): AppError | undefined {
  const { code = '', syscall, address, message } = error as NodeJS.ErrnoException & { address?: string }
  if (text.includes(code))
    return new AppError('invalidText', 400, 'The request holds a NUL character or broken Unicode. Remove it.')
  if (code === diskFull) return commonErrors.databaseFull()
  const isConnecting = syscall === 'connect' && address?.includes('.s.PGSQL.') === true
  // A statement was written to a connection whose other end was killed while it lay in the pool.
  const isWriting = code === 'EPIPE' && syscall === 'write'
  if (
    away.includes(code) ||
    (unreachable.includes(code) && isConnecting) ||
    isWriting ||
    brokenOff.test(message)
  )
    return commonErrors.databaseAway()
  return undefined
}
