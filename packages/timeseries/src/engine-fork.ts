import { fork, type ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { EngineProcessOptions } from './engine-process.ts'

/** A process of the engine that has started or failed to start. */
export interface ForkedEngine {
  /** The process. */
  fresh: ChildProcess
  /** Reason why it did not start; undefined if it runs. */
  failure: string | undefined
  /** Returns the last messages that it wrote to its error output. */
  errors: () => string
}

/** Starts a process of the engine and waits until it responds or fails. */
export async function forkEngine(options: EngineProcessOptions): Promise<ForkedEngine> {
  const fresh = fork(new URL('./engine-process.ts', import.meta.url), [JSON.stringify(options)], {
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TZ: 'UTC',
      UV_THREADPOOL_SIZE: String(options.poolSize + 4),
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
  return { fresh, failure, errors: () => errors }
}

/** Returns the process id of a running engine that holds the folder. */
export async function findHolder(pidFile: string): Promise<number | undefined> {
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
