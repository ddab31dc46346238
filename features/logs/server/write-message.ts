import type { LogLevel } from '../contract/index.ts'
import type { LogWriter } from './log-writer.ts'
import type { LogSource } from './logs-store.ts'

/**
 * Writes a message of work that the server executes itself. Its level is the status; any status other than WARN and ERROR
 * becomes INFO. Writes nothing for an empty message.
 */
export async function writeMessage(
  logs: { open(source: LogSource): LogWriter },
  source: LogSource,
  { status, message }: { status: string; message: string },
): Promise<void> {
  if (message === '') return
  const level: LogLevel = status === 'WARN' || status === 'ERROR' ? status : 'INFO'
  const writer = logs.open(source)
  writer.write(JSON.stringify({ level, message }), 'stdout')
  await writer.end()
}
