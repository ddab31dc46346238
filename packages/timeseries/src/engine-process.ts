/**
 * Entry point of the process that runs the embedded ClickHouse. The embedded connection starts it with an IPC channel. It
 * listens on a unix socket and exits when its parent process has exited. Requests are JSON (see EngineRequest); responses
 * are the bytes of the engine (see engine-socket.ts).
 */
import { randomUUID } from 'node:crypto'
import { createServer, type Socket } from 'node:net'
import { Session } from 'chdb'
import { statementSettings } from './statement-settings.ts'
import { ChunkSender, dataFrame, endFrame, errorFrame, readRequest, writeFrame } from './engine-socket.ts'

/** Options of the process, passed on the command line as JSON. */
export interface EngineProcessOptions {
  /** Folder of the tables. */
  dataFolder: string
  /** Path of the unix socket. */
  socketPath: string
  /** Path of the engine configuration. */
  configFile: string
  /** Folder for files that exist only during a response. */
  temporaryFolder: string
  /** Number of sessions, which limits the concurrent statements. */
  poolSize: number
  /** Settings that are sent with every statement, because the engine ignores them in its configuration. */
  settings: Record<string, number>
}

/** One statement. A stream has its own FORMAT clause and returns chunks; otherwise rows return as JSONEachRow. */
export interface EngineRequest {
  /** The statement. */
  sql: string
  /** Its parameters, by name. */
  params: Record<string, unknown>
  /** Whether the result is a stream. */
  isStream: boolean
}

const options = JSON.parse(process.argv[2] ?? '{}') as EngineProcessOptions
const idleSessions: Session[] = []
const waiting: ((session: Session) => void)[] = []
let sessionCount = 0
/** Names of running statements. */
const running = new Set<string>()
/** A session outside of the pool, which may be busy. */
let stopper: Session | undefined

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('SIGINT', () => {})
process.on('message', (message) => {
  if (message === 'close') void close()
})

try {
  idleSessions.push(openSession())
  sessionCount++
} catch (error) {
  process.send?.({ failed: describe(error) })
  process.exit(1)
}
const server = createServer((socket) => void respond(socket))
server.listen(options.socketPath, () => process.send?.('ready'))

async function respond(socket: Socket): Promise<void> {
  // Readers may disconnect at any time.
  socket.on('error', () => {})
  socket.on('end', () => socket.destroy())
  let session: Session | undefined
  const name = randomUUID()
  // If no session can be opened for the cancellation, the statement runs to its end.
  const stop = () => void stopStatement(name).catch(() => {})
  try {
    const request = await readRequest(socket)
    if (request === undefined) return
    const { sql, params, isStream } = JSON.parse(request) as EngineRequest
    session = await takeSession()
    if (socket.destroyed) return
    running.add(name)
    socket.on('close', stop)
    const named = `/* ${name} */ ${sql}`
    if (isStream) await sendStream(session, named, params, socket)
    else {
      const result = await session.queryBindAsync(named, params, { format: 'JSONEachRow' })
      const bytes = result.bytes()
      if (bytes.length > 0) writeFrame(socket, dataFrame, bytes)
    }
    writeFrame(socket, endFrame)
  } catch (error) {
    writeFrame(socket, errorFrame, Buffer.from(describe(error)))
  } finally {
    socket.off('close', stop)
    running.delete(name)
    if (session) giveBack(session)
  }
}

/** Cancels a statement that has lost its reader. Otherwise it would run until it has its next rows. */
async function stopStatement(name: string): Promise<void> {
  stopper ??= openSession()
  await stopper
    .queryBindAsync(`KILL QUERY WHERE startsWith(query, {start:String}) ASYNC`, { start: `/* ${name} */` })
    .catch(() => {})
}

async function sendStream(
  session: Session,
  sql: string,
  params: Record<string, unknown>,
  socket: Socket,
): Promise<void> {
  const sender = new ChunkSender(socket, options.temporaryFolder)
  const chunks = session.queryStreamBind(sql, params)[Symbol.asyncIterator]()
  try {
    let pending = chunks.next()
    for (;;) {
      const { done, value } = await pending
      if (done || socket.destroyed) break
      // The engine computes the next chunk while this one is being sent.
      pending = chunks.next()
      pending.catch(() => {})
      await sender.send(value.raw())
    }
    await sender.finish()
  } finally {
    sender.close()
    await chunks.return?.()
  }
}

function openSession(): Session {
  const session = new Session(options.dataFolder, { connectionArgs: [`--config-file=${options.configFile}`] })
  const settings = Object.entries({ ...statementSettings, ...options.settings })
  session.query(`SET ${settings.map(([name, value]) => `${name} = ${value}`).join(', ')}`)
  return session
}

async function takeSession(): Promise<Session> {
  const idle = idleSessions.pop()
  if (idle) return idle
  if (sessionCount < options.poolSize) {
    sessionCount++
    return openSession()
  }
  return new Promise((resolve) => waiting.push(resolve))
}

function giveBack(session: Session): void {
  const next = waiting.shift()
  if (next) next(session)
  else idleSessions.push(session)
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Cancels running statements, which would otherwise delay the exit. */
async function close(): Promise<void> {
  server.close()
  await Promise.all([...running].map(stopStatement))
  for (const session of idleSessions) session.close()
  stopper?.close()
  process.exit(0)
}
