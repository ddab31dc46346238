import { ingestJobKind, type Files, type IngestPayload } from '@headwater/files/server'
import type { JobQueue } from '@headwater/jobs'
import { diskFullMessage } from '@headwater/timeseries'
import type { IngestService } from './ingest-service.ts'
import type { SearchUpkeep } from './search-upkeep.ts'

/**
 * Delay before a retry. A crashed series store recovers within a second, so the first delay is short. A file is
 * abandoned after more than 20 s. Other files of the group wait during this time.
 */
const pauseMs = (failures: number) => Math.min(250 * 4 ** (failures - 1), 300_000)

/** Registers the handlers of jobs that change points. Because of their serial key, jobs of one group run one at a time. */
export function registerIngestJobs(
  queue: JobQueue,
  {
    ingest,
    searchUpkeep,
    files,
  }: {
    ingest: IngestService
    searchUpkeep: SearchUpkeep
    files: Pick<Files, 'openIngest' | 'reportIngest' | 'finishIngest' | 'setStreamingReader'>
  },
): void {
  files.setStreamingReader((file) => ingest.readStreaming(file))
  queue.handle<IngestPayload>(ingestJobKind, {
    pauseMs,
    async run(job) {
      const { fileId: fid } = job.payload
      const file = await files.openIngest(fid)
      if (file === undefined) {
        // The file was deleted; an earlier attempt can have noted its symbols.
        await ingest.forget(fid)
        return
      }
      try {
        await ingest.ingest(file, {
          signal: job.signal,
          attempt: job.attempt,
          progress: (progress) => files.reportIngest(fid, progress),
          async finish(executor, outcome) {
            await files.finishIngest(executor, fid, outcome)
            await job.complete(executor, outcome)
          },
        })
        await searchUpkeep.afterIngest()
      } finally {
        // Closes the content, which would otherwise stay open after an error.
        await file.content[Symbol.asyncIterator]().return?.()
      }
    },
    async giveUp(job, error) {
      const { fileId: fid, groupId } = job.payload
      await ingest.abandon({ fid, groupId }, (executor) =>
        files.finishIngest(executor, fid, {
          state: 'REJECTED',
          message: error.includes(diskFullMessage)
            ? 'The file could not be ingested because the disk of the series store is full. Ask an administrator to free space, then upload it again.'
            : 'The file could not be ingested because the series store failed. Upload it again.',
        }),
      )
    },
  })
  queue.handle<{ groupId: number }>('reconcile-series', {
    pauseMs,
    run: (job) => ingest.reconcile(job.payload.groupId),
  })
}
