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
  return pino(settings, typeof destination === 'string' ? logFile(destination) : destination)
}

/** Lines that wait for a disk with room; what comes when there are more is lost. */
const longestWaitBytes = 4_000_000

/** A file that goes on being one when it cannot be written: a full disk must not end the server. */
function logFile(path: string): NodeJS.WritableStream {
  const file = pino.destination({ dest: path, mkdir: true, sync: false, maxLength: longestWaitBytes })
  let isTold = false
  file.on('error', (error: Error) => {
    if (!isTold) console.error(`The log ${path} cannot be written: ${error.message}`)
    isTold = true
  })
  return file as unknown as NodeJS.WritableStream
}

/** A log that keeps nothing. */
export function silentLog(): Log {
  return pino({ level: 'silent' })
}
