import type { RecordedRequest } from '@headwater/server-kit'
import type { AuditStore } from './audit-store.ts'

/** Maximum time for which a record waits for others to be written with it, in ms. */
const flushMs = 250
/** Maximum number of records of a batch. */
const batchSize = 1000
/** Maximum number of records that wait while the database cannot store them. */
const maxWaiting = 50_000
/** Pauses between attempts to store a batch. */
const retryPausesMs = [200, 1000, 3000]

/** Writes audit records in batches. */
export interface AuditWriter {
  /** Adds a record. Never waits and never throws. */
  record(request: RecordedRequest): void
  /** Stores the waiting records. */
  flush(): Promise<void>
}

/** Creates the writer. Records that cannot be stored are counted in the log of the server. */
export function createAuditWriter({
  store,
  warn,
}: {
  store: Pick<AuditStore, 'append'>
  /** Reports lost records. */
  warn: (message: string, error?: unknown) => void
}): AuditWriter {
  let waiting: RecordedRequest[] = []
  let timer: NodeJS.Timeout | undefined
  let storing: Promise<void> | undefined
  let lost = 0

  async function storeAll(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      await storeBatch(batch)
      waiting = waiting.slice(batch.length)
    }
    if (lost > 0)
      warn(`${lost} records of the audit log are lost, because the database did not store them in time.`)
    lost = 0
  }

  async function storeBatch(batch: readonly RecordedRequest[]): Promise<void> {
    for (const pauseMs of [...retryPausesMs, undefined]) {
      try {
        await store.append(batch)
        return
      } catch (error) {
        if (pauseMs === undefined) warn(`${batch.length} records of the audit log are lost.`, error)
        else await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    await storing
    storing ??= storeAll().finally(() => {
      storing = undefined
      // A record that arrived after the last batch.
      if (waiting.length > 0) schedule()
    })
    await storing
  }

  function schedule(): void {
    timer ??= setTimeout(() => void flush(), flushMs)
  }

  return {
    record(request) {
      if (waiting.length >= maxWaiting) {
        lost++
        return
      }
      waiting.push(request)
      schedule()
    },
    flush,
  }
}
