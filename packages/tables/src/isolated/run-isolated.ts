import { fork, type ChildProcess } from 'node:child_process'
import { TableError, type ByteSource } from '../table.ts'
import type { FromProcess, TableWork, ToProcess } from './messages.ts'

/** Maximum heap of the process, in MB. Memory outside the heap has separate limits. */
const heapMegabytes = 320
/** Exit code of a process that ran out of memory, on systems that do not report SIGABRT. */
const outOfMemoryCode = 134

/** Limits of a process. */
interface IsolationLimits {
  /** Ends the process. */
  signal: AbortSignal
  /** Maximum time without a message from the process, in milliseconds. */
  stallMs: number
}

/**
 * Yields the result of work on a table. It runs in a separate process without secrets, so that a hostile or very large
 * file exhausts neither the memory nor the CPU of the server. The process ends with the iteration.
 * @throws TableError if the content cannot be read; `signal.reason` if the signal aborts
 */
export async function* runIsolated(
  source: ByteSource,
  work: TableWork,
  { signal, stallMs }: IsolationLimits,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted()
  const child = fork(new URL('./conversion-process.ts', import.meta.url), {
    execArgv: [`--max-old-space-size=${heapMegabytes}`],
    env: { TZ: 'UTC' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const end = () => child.kill('SIGKILL')
  signal.addEventListener('abort', end)
  try {
    const messages = messagesOf(child, source, stallMs)
    send(child, { type: 'start', work, sizeBytes: source.sizeBytes })
    for (;;) {
      send(child, { type: 'next' })
      const message = await messages()
      if (message.type === 'end') return
      if (message.type === 'part') yield message.bytes
      if (message.type === 'refused') throw new TableError(message.message)
      if (message.type === 'failed')
        throw new Error(`The table conversion process failed: ${message.message}`)
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    signal.removeEventListener('abort', end)
    end()
  }
}

/** Handles the read requests of a process. The returned function waits for the next message of another type. */
function messagesOf(child: ChildProcess, source: ByteSource, stallMs: number): () => Promise<FromProcess> {
  const queue: FromProcess[] = []
  let failure: Error | undefined
  let wake = () => {}
  const fail = (error: Error) => {
    failure ??= error
    wake()
  }
  const stall = () =>
    fail(
      new TableError(
        `Reading a part of the file took more than ${stallMs / 1000} seconds. The file may be damaged.`,
      ),
    )
  let timer: NodeJS.Timeout | undefined
  child.on('message', (message: FromProcess) => {
    timer?.refresh()
    if (message.type === 'read')
      source.read(message.start, message.end).then((bytes) => send(child, { type: 'bytes', bytes }), fail)
    else {
      queue.push(message)
      wake()
    }
  })
  child.on('error', fail)
  child.on('exit', (code, signal) =>
    fail(
      signal === 'SIGABRT' || code === outOfMemoryCode
        ? new TableError('Processing the file needs more than 0.5 GB of memory. Use a smaller file.')
        : new Error(`The table conversion process exited with ${signal ?? code}.`),
    ),
  )
  return async () => {
    timer = setTimeout(stall, stallMs)
    try {
      while (queue.length === 0) {
        if (failure !== undefined) throw failure
        await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      clearTimeout(timer)
    }
    return queue.shift()!
  }
}

function send(child: ChildProcess, message: ToProcess): void {
  // A process that has ended emits an exit event.
  if (child.connected) child.send(message, () => {})
}
