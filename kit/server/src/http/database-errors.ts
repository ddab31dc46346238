import { AppError, commonErrors } from '@headwater/contract'

/** PostgreSQL's codes for text that it cannot store: an invalid byte sequence and an untranslatable character. */
const text = ['22021', '22P05']
const diskFull = '53100'
/** The database is stopping, has crashed, is starting, or has no connection left. */
const away = ['57P01', '57P02', '57P03', '53300']
/** Nothing listens at the address. */
const unreachable = ['ECONNREFUSED', 'ENOENT', 'ECONNRESET', 'EPIPE']
/** Messages of the driver for a closed connection; such errors have no code. */
const brokenOff = /^Connection terminated|^Client has encountered a connection error/

/** Returns the error for the caller when the database, and not our code, caused the failure; otherwise undefined. */
export function explainDatabaseError(error: unknown): AppError | undefined {
  const { code = '', syscall, address, message } = error as NodeJS.ErrnoException & { address?: string }
  if (text.includes(code))
    return new AppError(
      'invalidText',
      400,
      'The request contains a NUL character or invalid Unicode. Remove it.',
    )
  if (code === diskFull) return commonErrors.databaseFull()
  const isConnecting = syscall === 'connect' && address?.includes('.s.PGSQL.') === true
  // The statement was written to a pooled connection whose other end had been killed.
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
