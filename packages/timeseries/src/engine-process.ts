/**
 * The one process that holds the embedded ClickHouse. It is started by the embedded connection with an IPC channel, listens on a
 * unix socket and ends when the process that started it is gone.
 *
 * Request: POST, body `{"sql": text, "params": {}, "isStream": bool}`. Answer: the bytes the engine gives, or status 500 with
 * `{"message": text}`. An error in the middle of a stream breaks the connection.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Session } from 'chdb'

/** What the starter says on the command line, as JSON. */
export interface EngineProcessOptions {
  dataFolder: string
  socketPath: string
  configFile: string
  /** Sessions, and so statements that run at a time. */
  poolSize: number
}

interface EngineRequest {
  sql: string
  params: Record<string, unknown>
  isStream: boolean
}

const options = JSON.parse(process.argv[2] ?? '{}') as EngineProcessOptions
const idleSessions: Session[] = []
const waiting: ((session: Session) => void)[] = []
let sessionCount = 0

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('SIGINT', () => {})
process.on('message', (message) => {
  if (message === 'close') close()
})

try {
  idleSessions.push(openSession())
} catch (error) {
  process.send?.({ failed: describe(error) })
  process.exit(1)
}
const server = createServer((request, response) => void answer(request, response))
server.listen(options.socketPath, () => process.send?.('ready'))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let session: Session | undefined
  try {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as EngineRequest
    session = await takeSession()
    if (response.destroyed) return
    if (body.isStream) await sendStream(session, body, response)
    else {
      const result = await session.queryBindAsync(body.sql, body.params, { format: 'JSONEachRow' })
      response.end(result.bytes())
    }
  } catch (error) {
    if (response.headersSent) response.destroy()
    else
      response
        .writeHead(500, { 'content-type': 'application/json' })
        .end(JSON.stringify({ message: describe(error) }))
  } finally {
    if (session) giveBack(session)
  }
}

async function sendStream(
  session: Session,
  { sql, params }: EngineRequest,
  response: ServerResponse,
): Promise<void> {
  const chunks = session.queryStreamBind(sql, params)[Symbol.asyncIterator]()
  try {
    let pending = chunks.next()
    for (;;) {
      const { done, value } = await pending
      if (done || response.destroyed) break
      // The engine makes the next chunk while this one is on its way to the reader.
      pending = chunks.next()
      pending.catch(() => {})
      if (!response.write(value.raw())) {
        await Promise.race([once(response, 'drain'), once(response, 'close')])
      }
    }
  } finally {
    await chunks.return?.()
  }
  response.end()
}

function openSession(): Session {
  const session = new Session(options.dataFolder, { connectionArgs: [`--config-file=${options.configFile}`] })
  sessionCount++
  return session
}

async function takeSession(): Promise<Session> {
  const idle = idleSessions.pop()
  if (idle) return idle
  if (sessionCount < options.poolSize) return openSession()
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

function close(): void {
  server.close()
  for (const session of idleSessions) session.close()
  process.exit(0)
}
