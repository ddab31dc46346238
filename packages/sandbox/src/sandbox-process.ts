import type { ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Duplex, Stream, Writable } from 'node:stream'
import { descriptors } from './bubblewrap.ts'
import { childrenOf, identify, isRunning, type ProcessIdentity } from './process-tree.ts'

/** The sandbox ended before it accepted its program. */
export class NotStartedError extends Error {}

const endWithinMs = 30_000

/** Writes to a descriptor of the process and closes it. */
export function feed(child: ChildProcess, name: keyof typeof descriptors, text: string | Buffer): void {
  const pipe = pipeOf(child, name) as Writable
  // A sandbox that ends early does not read everything. Its result explains the reason.
  pipe.on('error', () => {})
  pipe.end(text)
}

/** Returns the pipe to a descriptor of the process. */
export function pipeOf(child: ChildProcess, name: keyof typeof descriptors): Stream {
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  return pipes[descriptors[name]]!
}

/** Waits for the end of a process and of its output. */
export async function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The sandbox could not be started: ${error.message}`)))
    child.once('close', () => resolve())
  })
}

/** Ends the sandbox by killing its first process. The kernel then kills all others. */
export interface Ender {
  /** Called when the first process has reported its start. */
  hasStarted(): void
  end(): void
  /** Process id of the first process; undefined before it is known. */
  firstPid(): number | undefined
  /** Waits until the first process, and therefore all others, have exited. Call it after the child has exited. */
  nothingIsLeft(): Promise<void>
}

/** Creates the ender of a sandbox. */
export function createEnder(child: ChildProcess): Ender {
  let isEnding = false
  let first: ProcessIdentity | undefined
  let identified: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const lifeLine = pipeOf(child, 'lifeLine') as Duplex
  lifeLine.on('error', () => {}).resume()
  child.once('exit', () => lifeLine.destroy())

  async function identifyFirst(): Promise<void> {
    const [pid] = await childrenOf(child.pid!)
    if (pid !== undefined) first = await identify(pid)
    if (isEnding) kill()
  }

  function kill(): void {
    if (first) signal(first.pid)
  }

  return {
    hasStarted() {
      identified ??= identifyFirst()
    },
    end() {
      if (isEnding) return
      isEnding = true
      // Ends a first process that has not started yet. If bubblewrap was killed before that, it would wait forever.
      lifeLine.destroy()
      kill()
      timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    },
    firstPid: () => first?.pid,
    async nothingIsLeft() {
      clearTimeout(timer)
      await identified
      const giveUpAt = Date.now() + endWithinMs
      while (first && (await isRunning(first))) {
        if (Date.now() > giveUpAt) throw new Error('The processes of a run could not be killed.')
        kill()
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  }
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // The process has already exited. A process that cannot be killed is reported while waiting for its end.
  }
}
