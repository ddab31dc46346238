import pino from 'pino'

/** The server log. `error` means that someone must act; `warn` that someone should look; `info` tells what happened. */
export type Log = pino.Logger

const secrets = ['password', 'currentPassword', 'token', 'refreshToken', 'key', 'authorization', 'cookie']

/**
 * Creates the log: JSON lines to a stream, with secrets removed by name.
 * @param destination where the lines go; a file path, a stream, or standard output when absent
 */
export function createLog(
  options: { level?: string; destination?: string | NodeJS.WritableStream } = {},
): Log {
  const { level = 'info', destination } = options
  const redact = { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' }
  // Without it an error would be logged without its message and its stack, which are not enumerable.
  const serializers = { error: pino.stdSerializers.err }
  const settings = { level, redact, serializers }
  if (destination === undefined) return pino(settings)
  if (typeof destination === 'string')
    return pino(settings, pino.destination({ dest: destination, mkdir: true, sync: false }))
  return pino(settings, destination)
}

/** A log that keeps nothing. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
