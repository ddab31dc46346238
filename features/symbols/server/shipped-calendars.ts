import { setNewest } from '@headwater/contract'
import { Worker } from 'node:worker_threads'
import type { HolidayCalendar } from '../contract/index.ts'
import type { HolidayTask, ShippedDays } from './holiday-worker.ts'

/** The built-in calendars. */
export interface ShippedCalendars {
  /** Lists all calendars, by name ascending. */
  list(): Promise<readonly HolidayCalendar[]>
  /** Returns the holidays of a calendar in a range of years; the name must match the list exactly. */
  days(name: string, firstYear: number, lastYear: number, signal?: AbortSignal): Promise<ShippedDays>
}

/** Maximum number of cached results. */
const maxCached = 20

/**
 * Creates the built-in calendars. Their rules take 20 MB, and centuries of a lunar calendar take seconds, so each task runs in its
 * own thread; only results are cached.
 */
export function createShippedCalendars(): ShippedCalendars {
  let list: Promise<readonly HolidayCalendar[]> | undefined
  const cache = new Map<string, ShippedDays>()

  return {
    list() {
      list ??= runTask<HolidayCalendar[]>({ kind: 'list' })
        .then((calendars) => calendars.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
        .catch((error: unknown) => {
          list = undefined
          throw error
        })
      return list
    },
    async days(name, firstYear, lastYear, signal) {
      const cacheKey = `${name} ${firstYear} ${lastYear}`
      const known = cache.get(cacheKey)
      const result =
        known ?? (await runTask<ShippedDays>({ kind: 'days', name, firstYear, lastYear }, signal))
      setNewest(cache, cacheKey, result, maxCached)
      return result
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Runs one thread at a time, because each takes 100 MB. */
function runTask<Result>(task: HolidayTask, signal?: AbortSignal): Promise<Result> {
  const pending = last.then(() => runThread<Result>(task, signal))
  last = pending.catch(() => {})
  return pending
}

async function runThread<Result>(task: HolidayTask, signal?: AbortSignal): Promise<Result> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./holiday-worker.ts', import.meta.url), { workerData: task })
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Result>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(signal?.reason ?? new Error('The thread of holidays ended early.')))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
