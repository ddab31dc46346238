import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresContext } from './postgres-folder.ts'
import { isPostmasterOf } from './postmaster-pid.ts'
import type { Running } from './postmaster.ts'

const stopLimitMs = 30_000

/** Resolves when the postmaster is gone or the signal aborts. */
export async function goneOrStopped(
  running: Running,
  context: PostgresContext,
  signal: AbortSignal,
): Promise<void> {
  const { child } = running
  if (child) {
    if (child.exitCode !== null || child.signalCode !== null) return
    await new Promise<void>((resolve) => {
      child.once('exit', () => resolve())
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    return
  }
  while (!signal.aborted && (await isPostmasterOf(running.pid, context.cluster))) await pause(500, signal)
}

/** Stops a postmaster and waits for its end. */
export async function stopPostmaster(running: Running, context: PostgresContext): Promise<void> {
  await signalAndWait(running, context, 'SIGINT')
  // Kills a backend that ignores the regular shutdown. The next start recovers from the write-ahead log.
  await signalAndWait(running, context, 'SIGQUIT')
}

async function signalAndWait(
  running: Running,
  context: PostgresContext,
  signal: NodeJS.Signals,
): Promise<void> {
  if (!(await isRunning(running, context))) return
  try {
    process.kill(running.pid, signal)
  } catch (error) {
    // The process can exit between the check and the signal.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
  const deadline = Date.now() + stopLimitMs
  while (Date.now() < deadline && (await isRunning(running, context))) await sleep(10)
}

/**
 * Returns whether a child process is running. It counts as running until its exit event, so that a stop waits for it.
 */
async function isRunning({ pid, child }: Running, { cluster }: PostgresContext): Promise<boolean> {
  if (child) return child.exitCode === null && child.signalCode === null
  return isPostmasterOf(pid, cluster)
}

/** Waits without keeping the process alive, at most until the signal aborts. */
export async function pause(waitMs: number, signal: AbortSignal): Promise<void> {
  await sleep(waitMs, undefined, { ref: false, signal }).catch(() => undefined)
}
