import type { Page } from '@headwater/contract'
import type { Clock, FairQueue, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { LogComponent, LogLine } from '../contract/index.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'
import type { LogLimits, LogSource, LogsStore } from './logs-store.ts'
import { eachLine, readLines, type LineFilter } from './read-log.ts'

/** Dependencies of the service. */
export interface LogsServiceDependencies {
  /** Stores the lines. */
  store: LogsStore
  /** Checks access to jobs. */
  statuses: Pick<Statuses, 'requireReadable'>
  /** Limits of the log of a job. */
  limits: LogLimits
  /** Limits concurrent searches. */
  searches: FairQueue
  /** Provides the time of lines that contain none. */
  clock: Clock
  /** Reports lines that cannot be stored. */
  warn: (message: string, error: unknown) => void
}

/** The service of logs. */
export type LogsService = ReturnType<typeof createLogsService>

/** Creates the service of logs. */
export function createLogsService(deps: LogsServiceDependencies) {
  const { store, statuses, searches } = deps
  return {
    /** Opens a writer for the lines of a step. */
    open: (source: LogSource): LogWriter => createLogWriter(deps, source),

    /**
     * Returns a page of the log of a job; throws `jobNotReadable` if the caller cannot see the job.
     * @param signal aborts the search
     */
    async read(
      principal: Principal,
      { from, size, ...filter }: Omit<LineFilter, 'readable'> & { from: number; size: number },
      signal: AbortSignal,
    ): Promise<Page<LogLine> & { lastLine: number; isLimited: boolean }> {
      const { jobId, readable } = await statuses.requireReadable(principal, filter.jobId)
      // Read before the lines, so that a caller who continues after the last line misses none.
      const state = await store.stateOf(jobId)
      const slot = await searches.take({ owner: principal.userId, signal })
      try {
        const page = await readLines(store, { ...filter, jobId, readable }, { from, size }, slot.signal)
        return { from, ...page, ...state }
      } finally {
        slot.end()
      }
    },

    /** Returns the steps of a log with their line counts; throws `jobNotReadable`. */
    async components(principal: Principal, id: string): Promise<LogComponent[]> {
      const { jobId, readable } = await statuses.requireReadable(principal, id)
      const steps = new Map<string, LogComponent>()
      for (const { eId, component, counts } of await store.chunks({ jobId, readable, after: 0 })) {
        const known = steps.get(eId)
        if (known === undefined) steps.set(eId, { eId, component, lineCounts: { ...counts } })
        else {
          known.lineCounts.DEBUG += counts.DEBUG
          known.lineCounts.INFO += counts.INFO
          known.lineCounts.WARN += counts.WARN
          known.lineCounts.ERROR += counts.ERROR
        }
      }
      return [...steps.values()]
    },

    /** Returns the matching lines as chunks of text; throws `jobNotReadable`. */
    async download(
      principal: Principal,
      filter: Omit<LineFilter, 'after' | 'readable'>,
    ): Promise<AsyncGenerator<string>> {
      const { jobId, readable } = await statuses.requireReadable(principal, filter.jobId)
      return textOf(eachLine(store, { ...filter, jobId, readable, after: 0 }))
    },
  }
}

async function* textOf(batches: AsyncGenerator<LogLine[]>): AsyncGenerator<string> {
  for await (const lines of batches)
    yield lines
      .map(({ time, level, component, text }) => `${time}\t${level}\t${component}\t${text}\n`)
      .join('')
}
