import { Worker } from 'node:worker_threads'
import type { HolidayCalendar } from '../contract/index.ts'
import type { HolidayTask, ShippedDays } from './holiday-worker.ts'

/** The calendars that come with the product. */
export interface ShippedCalendars {
  /** All of them, by name ascending. */
  list(): Promise<readonly HolidayCalendar[]>
  /** Free days of one of them in some years; the name as the list has it. */
  days(name: string, firstYear: number, lastYear: number, signal?: AbortSignal): Promise<ShippedDays>
}

/** Answers about days that are remembered, the newest ones. */
const remembered = 20

/**
 * Opens the calendars. Their rules take 20 MB, and centuries of a lunar calendar take seconds, so each question is answered
 * by a thread that ends with it; only answers are kept.
 */
export function createShippedCalendars(): ShippedCalendars {
  let list: Promise<readonly HolidayCalendar[]> | undefined
  const answers = new Map<string, ShippedDays>()

  return {
    list() {
      list ??= ask<HolidayCalendar[]>({ kind: 'list' })
        .then((calendars) => calendars.toSorted((a, b) => (a.name < b.name ? -1 : 1)))
        .catch((error: unknown) => {
          list = undefined
          throw error
        })
      return list
    },
    async days(name, firstYear, lastYear, signal) {
      const place = `${name} ${firstYear} ${lastYear}`
      const known = answers.get(place)
      const answer = known ?? (await ask<ShippedDays>({ kind: 'days', name, firstYear, lastYear }, signal))
      answers.delete(place)
      answers.set(place, answer)
      const [oldest] = answers.keys()
      if (answers.size > remembered && oldest !== undefined) answers.delete(oldest)
      return answer
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** One thread at a time, as each takes 100 MB while it works. */
function ask<Answer>(task: HolidayTask, signal?: AbortSignal): Promise<Answer> {
  const asked = last.then(() => askThread<Answer>(task, signal))
  last = asked.catch(() => {})
  return asked
}

async function askThread<Answer>(task: HolidayTask, signal?: AbortSignal): Promise<Answer> {
  signal?.throwIfAborted()
  const worker = new Worker(new URL('./holiday-worker.ts', import.meta.url), { workerData: task })
  const stop = () => void worker.terminate()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    return await new Promise<Answer>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.once('exit', () => reject(signal?.reason ?? new Error('The thread of holidays ended early.')))
    })
  } finally {
    signal?.removeEventListener('abort', stop)
    await worker.terminate()
  }
}
