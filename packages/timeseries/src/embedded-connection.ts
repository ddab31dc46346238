import { fork, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile, type FileHandle } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineProcessOptions, EngineRequest } from './engine-process.ts'
import { askEngine, recycleChunk } from './engine-socket.ts'
import { SeriesEngineError } from './series-engine.ts'
import type { ByteStream, SqlConnection, SqlParams, Upload } from './sql-connection.ts'
import { quoteText } from './sql-text.ts'

export interface EmbeddedConnectionOptions {
  /** Folder of the engine alone; made, and closed to other users, if need be. */
  folder: string
  /** Memory the engine may use for queries and uploads together. Default 1 GiB. */
  memoryLimitBytes?: number
  /** Statements that run at a time; more wait. Default 12. */
  poolSize?: number
  /** How long to wait for another engine on the folder to end. Default 5000. */
  lockWaitMs?: number
  /** Told when the engine process starts or dies. */
  log?: (message: string, details: Record<string, unknown>) => void
}

/** A connection to an engine in a child process of its own. */
export interface EmbeddedConnection extends SqlConnection {
  /** Process id of the engine, undefined while there is none. */
  readonly processId: number | undefined
}

/** Longest path a unix socket may have on every platform. */
const maxSocketPath = 100

/**
 * Starts the embedded ClickHouse in a process of its own. If that process dies it is started again with the next statement;
 * statements that only read are then tried once more.
 * @throws SeriesEngineError `locked` if another engine holds the folder, `failed` if it does not start.
 */
export async function openEmbeddedConnection({
  folder,
  memoryLimitBytes = 1024 ** 3,
  poolSize = 12,
  lockWaitMs = 5000,
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
  /** One that ran before starts again sooner or later, so that it may be asked again. */
  let hasRun = false
  let isClosed = false

  async function start(): Promise<void> {
    const options: EngineProcessOptions = {
      dataFolder: join(folder, 'data'),
      socketPath,
      configFile,
      scratchFolder: incoming,
      poolSize,
      settings: limitSettings(memoryLimitBytes),
    }
    await rm(socketPath, { force: true })
    const fresh = fork(new URL('./engine-process.ts', import.meta.url), [JSON.stringify(options)], {
      execArgv: [],
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        TZ: 'UTC',
        UV_THREADPOOL_SIZE: String(poolSize + 4),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    let errors = ''
    fresh.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2000)))
    const failure = await new Promise<string | undefined>((resolve) => {
      fresh.once('message', (message: 'ready' | { failed: string }) =>
        resolve(message === 'ready' ? undefined : message.failed),
      )
      fresh.once('error', (error) => resolve(error.message))
      fresh.once('exit', (code, signal) => resolve(errors || `The process ended with ${signal ?? code}.`))
    })
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
      if (!isClosed) log('The series engine died.', { code, signal, errors })
    })
    log('The series engine runs.', { processId: fresh.pid })
  }

  async function ensureRunning(): Promise<void> {
    if (isClosed) throw new SeriesEngineError('unavailable', 'The series engine is closed.')
    if (child) return
    starting ??= start().finally(() => (starting = undefined))
    await starting
  }

  async function send(request: EngineRequest, signal?: AbortSignal): Promise<ByteStream> {
    await ensureRunning()
    return askEngine(socketPath, JSON.stringify(request), signal)
  }

  /** An engine that dies before the first bytes is asked again once it runs again. */
  async function retryOnce<T>(signal: AbortSignal | undefined, action: () => Promise<T>): Promise<T> {
    try {
      return await action()
    } catch (error) {
      if (error instanceof SeriesEngineError || signal?.aborted) throw error
      await waitForDeath()
      return action().catch((second: unknown) => {
        // What fails right after a death is most likely a part of it, such as an engine that does not start yet.
        const isFailure = second instanceof SeriesEngineError && second.code === 'failed'
        throw toUnavailable(isFailure ? new Error(second.message, { cause: second }) : second)
      })
    }
  }

  /** A broken connection is noticed before the exit of the process is. */
  async function waitForDeath(): Promise<void> {
    for (let round = 0; child && round < 20; round++) await sleep(10)
  }

  async function upload(structure: string, blocks: AsyncIterable<readonly Uint8Array[]>): Promise<Upload> {
    const path = join(incoming, `${randomUUID()}.native`)
    const drop = () => rm(path, { force: true })
    try {
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const block of blocks) await writeWhole(file, block)
      } finally {
        await file.close()
      }
    } catch (error) {
      await drop()
      throw error
    }
    return { source: `file(${quoteText(path)}, 'Native', ${quoteText(structure)})`, keepsOrder: true, drop }
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
      tellOfBreaks(await retryOnce(signal, () => send({ sql, params, isStream: true }, signal))),
    upload,
    close,
  }
}

async function writeWhole(file: FileHandle, pieces: readonly Uint8Array[]): Promise<void> {
  const size = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const { bytesWritten } = await file.writev(pieces)
  if (bytesWritten === size) return
  // A disk that is nearly full takes a part; the next write then says what is wrong.
  const rest = Buffer.concat(pieces).subarray(bytesWritten)
  for (let at = 0; at < rest.length;) at += (await file.write(rest, at)).bytesWritten
}

async function readAll(stream: ByteStream): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Bytes have been handed on already, so nothing can be tried again. */
function tellOfBreaks(stream: ByteStream): ByteStream {
  async function* read() {
    try {
      yield* stream
    } catch (error) {
      if (error instanceof SeriesEngineError) throw error
      throw new SeriesEngineError(
        'unavailable',
        'The series engine stopped in the middle of the answer; ask again.',
        { cause: error },
      )
    }
  }
  return Object.assign(read(), { close: () => stream.close(), recycle: recycleChunk })
}

/** Process id of a living engine that holds the folder. */
async function findHolder(pidFile: string): Promise<number | undefined> {
  const processId = Number(await readFile(pidFile, 'utf8').catch(() => ''))
  if (!processId) return undefined
  const commandLine = await readFile(`/proc/${processId}/cmdline`, 'utf8').catch(() => undefined)
  if (commandLine !== undefined) return commandLine.includes('engine-process') ? processId : undefined
  try {
    process.kill(processId, 0)
    return processId
  } catch {
    return undefined
  }
}

function lockedError(folder: string): SeriesEngineError {
  return new SeriesEngineError(
    'locked',
    `Another series engine uses the folder ${folder}. One engine at a time may; stop the other one first.`,
  )
}

function toUnavailable(error: unknown): SeriesEngineError {
  if (error instanceof SeriesEngineError) return error
  return new SeriesEngineError('unavailable', 'The series engine stopped while it worked; try again.', {
    cause: error,
  })
}

/**
 * Sorting and grouping go to disk long before the limit. By default a thread more wants a free GiB below the limit of the whole engine, so that
 * no statement would have a second one.
 */
function limitSettings(memoryLimitBytes: number): Record<string, number> {
  const spillBytes = Math.floor(memoryLimitBytes / 5)
  return {
    max_memory_usage: memoryLimitBytes,
    max_bytes_before_external_sort: spillBytes,
    max_bytes_before_external_group_by: spillBytes,
    max_threads: Math.min(8, availableParallelism()),
    max_threads_min_free_memory_per_thread: 64 * 1024 ** 2,
    use_uncompressed_cache: 0,
  }
}

/**
 * Small caches and few background threads: the engine shares the machine with a database and a server. What was merged is brought to
 * the disk at once, so that the parts it was made of, as many bytes again, need not be kept for minutes in case of a power cut.
 */
function engineConfig(memoryLimitBytes: number): string {
  return `<clickhouse>
  <logger><level>none</level></logger>
  <max_server_memory_usage>${memoryLimitBytes + 300 * 1024 ** 2}</max_server_memory_usage>
  <mark_cache_size>33554432</mark_cache_size>
  <uncompressed_cache_size>0</uncompressed_cache_size>
  <index_mark_cache_size>8388608</index_mark_cache_size>
  <mmap_cache_size>100</mmap_cache_size>
  <background_pool_size>2</background_pool_size>
  <background_move_pool_size>1</background_move_pool_size>
  <background_fetches_pool_size>1</background_fetches_pool_size>
  <background_common_pool_size>2</background_common_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <background_buffer_flush_schedule_pool_size>1</background_buffer_flush_schedule_pool_size>
  <background_message_broker_schedule_pool_size>1</background_message_broker_schedule_pool_size>
  <background_distributed_schedule_pool_size>1</background_distributed_schedule_pool_size>
  <merge_tree>
    <min_compressed_bytes_to_fsync_after_merge>1</min_compressed_bytes_to_fsync_after_merge>
    <old_parts_lifetime>1</old_parts_lifetime>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
</clickhouse>
`
}
