import { Worker } from 'node:worker_threads'
import { CsvError } from '@headwater/csv'
import { TableError, type ByteSource } from '../table.ts'
import { readTablePreview } from '../read-table-preview.ts'
import { converted } from './conversion.ts'
import type { FromProcess, TableWork, ToProcess } from './messages.ts'

// Entry point of the process that converts one file, or reads its preview.

/** Minimum size of a part that is sent, except for the last one. */
const partBytes = 256 * 1024

const pending: { bytes?: (bytes: Uint8Array) => void; next?: () => void } = {}
let isNextRequested = false

process.on('message', (message: ToProcess) => {
  if (message.type === 'start') void run(message.work, message.sizeBytes)
  else if (message.type === 'next') {
    isNextRequested = true
    pending.next?.()
  } else if (message.bytes === undefined) process.exit(1)
  else pending.bytes?.(message.bytes)
})
// The server has ended. A second thread also watches for this, because a hostile file can keep this thread busy.
process.on('disconnect', () => process.exit(1))
new Worker(new URL('./parent-watch.ts', import.meta.url), { workerData: process.ppid }).unref()

async function run(work: TableWork, sizeBytes: number): Promise<void> {
  const source: ByteSource = {
    sizeBytes,
    async read(start, end) {
      if (start === end) return new Uint8Array(0)
      const bytes = new Promise<Uint8Array>((resolve) => (pending.bytes = resolve))
      await send({ type: 'read', start, end })
      return bytes
    },
  }
  try {
    let parts: Buffer[] = []
    let size = 0
    const flush = async () => {
      if (size === 0) return
      const bytes = Buffer.concat(parts)
      parts = []
      size = 0
      await requested()
      await send({ type: 'part', bytes })
    }
    for await (const part of resultOf(source, work)) {
      const bytes = Buffer.from(part as Uint8Array)
      parts.push(bytes)
      size += bytes.length
      if (size >= partBytes) await flush()
    }
    await flush()
    await requested()
    await send({ type: 'end' })
  } catch (error) {
    const isContent = error instanceof TableError || error instanceof CsvError
    await send({ type: isContent ? 'refused' : 'failed', message: (error as Error).message })
  }
}

async function* resultOf(source: ByteSource, work: TableWork): AsyncGenerator<Uint8Array | string> {
  if ('conversion' in work) return yield* converted(source, work.conversion)
  yield JSON.stringify(await readTablePreview(source, work.preview))
}

/** Waits until the server requests the next part, so that parts do not accumulate. */
async function requested(): Promise<void> {
  if (!isNextRequested) await new Promise<void>((resolve) => (pending.next = resolve))
  isNextRequested = false
}

function send(message: FromProcess): Promise<void> {
  return new Promise((resolve, reject) =>
    process.send!(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error))),
  )
}
