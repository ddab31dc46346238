import { spawn, type ChildProcess } from 'node:child_process'
import process from 'node:process'
import type { Duplex, Stream, Writable } from 'node:stream'
import {
  descriptors,
  environmentOptions,
  lastDescriptor,
  sandboxCommand,
  stubs,
  type BubblewrapOptions,
} from './bubblewrap.ts'
import type { Cgroup } from './cgroups.ts'
import type { Machine } from './prepared-sandbox.ts'
import { childrenOf, identify, isRunning, type ProcessIdentity } from './process-tree.ts'

/** Thrown if the sandbox exits before its program starts. */
export class NotStartedError extends Error {}

const endWithinMs = 30_000

/**
 * Starts bubblewrap with a command in a new sandbox, and passes the inputs of bubblewrap to it.
 * @param own.slotUserId user to switch to first, if the current user is root
 * @param own.launcher compiled launcher; empty if the command does not use it
 * @param own.module source of the Python module; empty if the command does not use it
 */
export function startSandbox(
  { programs, filter }: Pick<Machine, 'programs' | 'filter'>,
  options: BubblewrapOptions,
  command: readonly string[],
  own: {
    slotUserId: number | undefined
    cgroup: Cgroup | undefined
    launcher: string | Buffer
    module: string
  },
): ChildProcess {
  const [file, ...rest] = sandboxCommand(programs, options, command, own.slotUserId)
  const child = spawn(file!, rest, {
    cwd: '/',
    env: {},
    stdio: ['ignore', ...Array.from({ length: lastDescriptor }, () => 'pipe' as const)],
  })
  if (child.pid === undefined) return child
  // bubblewrap reads the environment before it starts other processes, so all of them are in the cgroup.
  own.cgroup?.add(child.pid)
  feed(child, 'environment', environmentOptions(options))
  feed(child, 'filter', filter)
  feed(child, 'launcher', own.launcher)
  feed(child, 'module', own.module)
  feed(child, 'users', stubs.users)
  feed(child, 'hosts', stubs.hosts)
  return child
}

/** Writes to a descriptor of the process, then closes it. */
export function feed(child: ChildProcess, name: keyof typeof descriptors, text: string | Buffer): void {
  const pipe = pipeOf(child, name) as Writable
  // A sandbox that exits early does not read all of its input. Its result explains the reason.
  pipe.on('error', () => {})
  pipe.end(text)
}

/** Returns the pipe to a descriptor of the process. */
export function pipeOf(child: ChildProcess, name: keyof typeof descriptors): Stream {
  const pipes: readonly (Stream | null | undefined)[] = child.stdio
  return pipes[descriptors[name]]!
}

/** Waits until a process and its output have ended. */
export async function closed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`The sandbox could not be started: ${error.message}`)))
    child.once('close', () => resolve())
  })
}

/** Ends the sandbox by killing its first process. The kernel then kills all others. */
export interface Terminator {
  /** Called when the first process has reported that it started. */
  markStarted(): void
  end(): void
  /** Process id of the first process; undefined before it is known. */
  firstPid(): number | undefined
  /** Waits until the first process, and therefore all others, have exited. Call it after the child has exited. */
  untilGone(): Promise<void>
}

/** Creates the terminator of a sandbox. */
export function createTerminator(child: ChildProcess): Terminator {
  let isEnding = false
  let first: ProcessIdentity | undefined
  let identified: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const lifeline = pipeOf(child, 'lifeline') as Duplex
  lifeline.on('error', () => {}).resume()
  child.once('exit', () => lifeline.destroy())

  async function identifyFirst(): Promise<void> {
    const [pid] = await childrenOf(child.pid!)
    if (pid !== undefined) first = await identify(pid)
    if (isEnding) kill()
  }

  function kill(): void {
    if (first) signal(first.pid)
  }

  return {
    markStarted() {
      identified ??= identifyFirst()
    },
    end() {
      if (isEnding) return
      isEnding = true
      // Ends the first process if it has not reported its start. If only bubblewrap were killed, the first process would
      // wait forever.
      lifeline.destroy()
      kill()
      timer = setTimeout(() => child.kill('SIGKILL'), endWithinMs)
    },
    firstPid: () => first?.pid,
    async untilGone() {
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
    // The process has already exited. If it cannot be killed, `untilGone` reports it.
  }
}
