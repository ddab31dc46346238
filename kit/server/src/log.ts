import pino from 'pino'

/** The server log. Use `error` if an administrator must act, `warn` for problems to investigate, and `info` for events. */
export type Log = pino.Logger

const secrets = ['password', 'currentPassword', 'token', 'refreshToken', 'key', 'authorization', 'cookie']

/**
 * Creates a log that writes JSON lines to a stream. It removes the values of fields with names of secrets, such as
 * `password`.
 * @param destination a file path or a stream; default standard output
 */
export function createLog(
  options: { level?: string; destination?: string | NodeJS.WritableStream } = {},
): Log {
  const { level = 'info', destination } = options
  const redact = { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[removed]' }
  // Without a serializer, the message and stack of an error would be missing, because they are not enumerable.
  const serializers = { error: pino.stdSerializers.err }
  const settings = { level, redact, serializers }
  if (destination === undefined) return pino(settings)
  return pino(settings, typeof destination === 'string' ? logFile(destination) : destination)
}

/** Maximum size of the lines that wait for free disk space, in bytes; further lines are lost. */
const maxWaitingBytes = 4_000_000

/** A log file that ignores write errors, because a full disk must not stop the server. */
function logFile(path: string): NodeJS.WritableStream {
  const file = pino.destination({ dest: path, mkdir: true, sync: false, maxLength: maxWaitingBytes })
  let isReported = false
  file.on('error', (error: Error) => {
    if (!isReported) console.error(`The log ${path} cannot be written: ${error.message}`)
    isReported = true
  })
  return file as unknown as NodeJS.WritableStream
}
