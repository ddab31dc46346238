import type { ChildProcess } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeUpload } from './embedded-upload.ts'
import { engineConfig, limitSettings } from './engine-config.ts'
import { findHolder, forkEngine } from './engine-fork.ts'
import type { EngineProcessOptions, EngineRequest } from './engine-process.ts'
import { sendRequest, recycleChunk } from './engine-socket.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { ByteStream, SqlConnection, SqlParams } from './sql-connection.ts'

/** Options of the embedded engine. */
export interface EmbeddedConnectionOptions {
  /** Folder that only the engine uses. It is created with access for this user only. */
  folder: string
  /** Memory of the engine for queries and uploads together, in bytes. Default 1 GiB. */
  memoryLimitBytes?: number
  /** Maximum number of concurrent statements; further ones wait. Default 12. */
  poolSize?: number
  /**
   * Time to wait until another engine releases the folder, in milliseconds. Default 30,000, because the engine of a killed
   * server can still be busy when the next server starts.
   */
  lockWaitMs?: number
  /** Called when the engine process starts or crashes. Default: ignored. */
  log?: (message: string, details: Record<string, unknown>) => void
}

/** A connection to an engine in a child process. */
export interface EmbeddedConnection extends SqlConnection {
  /** Process id of the engine; undefined while it is not running. */
  readonly processId: number | undefined
}

/** Maximum path length of a unix socket on every platform. */
const maxSocketPath = 100

/**
 * Starts the embedded ClickHouse in a child process. If the process dies, the next statement restarts it, and read-only
 * statements are retried once.
 * @throws SeriesEngineError `locked` if another engine holds the folder, `failed` if it does not start
 */
export async function openEmbeddedConnection({
  folder,
  memoryLimitBytes = 1024 ** 3,
  poolSize = 12,
  lockWaitMs = 30_000,
  log = () => {},
}: EmbeddedConnectionOptions): Promise<EmbeddedConnection> {
  const incoming = join(folder, 'incoming')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await chmod(folder, 0o700)
  const configFile = join(folder, 'engine.xml')
  const pidFile = join(folder, 'engine.pid')
  const socketFolder =
    folder.length + 20 > maxSocketPath ? await mkdtemp(join(tmpdir(), 'series-engine-')) : folder
  const socketPath = join(socketFolder, 'engine.sock')
  let child: ChildProcess | undefined
  let starting: Promise<void> | undefined
  /** Whether the engine has started before. If so, it can start again, so requests can be retried. */
  let hasRun = false
  let isClosed = false

  async function start(): Promise<void> {
    const options: EngineProcessOptions = {
      dataFolder: join(folder, 'data'),
      socketPath,
      configFile,
      temporaryFolder: incoming,
      poolSize,
      settings: limitSettings(memoryLimitBytes),
    }
    await rm(socketPath, { force: true })
    const { fresh, failure, errors } = await forkEngine(options)
    if (failure?.includes('Failed to create connection') && (await findHolder(pidFile)) !== undefined)
      throw lockedError(folder)
    if (failure !== undefined)
      throw new SeriesEngineError(
        hasRun ? 'unavailable' : 'failed',
        `The series engine does not start: ${failure}`,
      )
    await writeFile(pidFile, String(fresh.pid))
    child = fresh
    hasRun = true
    fresh.once('exit', (code, signal) => {
      if (child === fresh) child = undefined
      if (!isClosed) log('The series engine crashed.', { code, signal, errors: errors() })
    })
    log('The series engine is running.', { processId: fresh.pid })
  }

  async function ensureRunning(): Promise<void> {
    if (isClosed) throw new SeriesEngineError('unavailable', 'The series engine is closed.')
    if (child) return
    starting ??= start().finally(() => (starting = undefined))
    await starting
  }

  async function send(request: EngineRequest, signal?: AbortSignal): Promise<ByteStream> {
    await ensureRunning()
    return sendRequest(socketPath, JSON.stringify(request), signal)
  }

  /** Retries once if the engine dies before the first bytes of the result. */
  async function retryOnce<T>(signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
    try {
      return await action()
    } catch (error) {
      if (error instanceof SeriesEngineError || signal?.aborted) throw error
      await waitForDeath()
      return action().catch((second: unknown) => {
        // A failure right after a crash is most likely a consequence of it, such as an engine that is not ready yet.
        const isFailure = second instanceof SeriesEngineError && second.code === 'failed'
        throw toUnavailable(isFailure ? new Error(second.message, { cause: second }) : second)
      })
    }
  }

  /** Waits for the exit event of the process, which arrives after the connection has broken. */
  async function waitForDeath(): Promise<void> {
    for (let round = 0; child && round < 20; round++) await sleep(10)
  }

  async function close(): Promise<void> {
    if (isClosed) return
    isClosed = true
    await starting?.catch(() => {})
    const running = child
    if (running) {
      const exited = new Promise((resolve) => running.once('exit', resolve))
      running.send('close')
      await Promise.race([exited, sleep(5000, undefined, { ref: false })])
      if (running.exitCode === null && running.signalCode === null) {
        running.kill('SIGKILL')
        await exited
      }
    }
    await rm(pidFile, { force: true })
    await rm(socketPath, { force: true })
    if (socketFolder !== folder) await rm(socketFolder, { recursive: true, force: true })
  }

  const lockDeadline = performance.now() + lockWaitMs
  for (;;) {
    if ((await findHolder(pidFile)) === undefined) break
    if (performance.now() > lockDeadline) throw lockedError(folder)
    await sleep(100)
  }
  await rm(incoming, { recursive: true, force: true })
  await mkdir(incoming, { mode: 0o700 })
  await writeFile(configFile, engineConfig(memoryLimitBytes))
  await ensureRunning()

  return {
    get processId() {
      return child?.pid
    },
    async run(sql, params = {}) {
      try {
        await readAll(await send({ sql, params, isStream: false }))
      } catch (error) {
        throw toUnavailable(error)
      }
    },
    async rows(sql, params = {}, signal) {
      const text = await retryOnce(signal, async () =>
        readAll(await send({ sql, params, isStream: false }, signal)),
      )
      return text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>)
    },
    stream: async (sql: string, params: SqlParams = {}, signal?: AbortSignal) =>
      reportBrokenStream(await retryOnce(signal, () => send({ sql, params, isStream: true }, signal))),
    upload: (structure, blocks) => writeUpload(incoming, structure, blocks),
    close,
  }
}

async function readAll(stream: ByteStream): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Reports a broken connection: earlier bytes were already delivered, so the statement cannot be retried. */
function reportBrokenStream(stream: ByteStream): ByteStream {
  async function* read() {
    try {
      yield* stream
    } catch (error) {
      if (error instanceof SeriesEngineError) throw error
      throw new SeriesEngineError(
        'unavailable',
        'The series engine stopped while sending the result. Run the query again.',
        { cause: error },
      )
    }
  }
  return Object.assign(read(), { close: () => stream.close(), recycle: recycleChunk })
}

function lockedError(folder: string): SeriesEngineError {
  return new SeriesEngineError(
    'locked',
    `Another series engine uses the folder ${folder}. Only one engine can use it at a time; stop the other one first.`,
  )
}

function toUnavailable(error: unknown): SeriesEngineError {
  if (error instanceof SeriesEngineError) return error
  return new SeriesEngineError('unavailable', 'The series engine stopped during the statement. Retry it.', {
    cause: error,
  })
}
