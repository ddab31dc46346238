import { registerHourly } from '@headwater/jobs'
import { uploadPermitMs } from './announce-upload.ts'
import { finishIngest, isIngestOver } from './ingest-files.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { forgetFile } from './upload-status.ts'

/** Time between two sweeps, in ms. */
const sweepEveryMs = 3_600_000
/** Content without a file is deleted after this time, in ms. Before that, an upload may be about to use it. */
const releasedContentMs = 3_600_000

/** Registers the hourly sweep; the returned function schedules the next one. */
export function registerSweep(deps: UploadDependencies): () => Promise<void> {
  return registerHourly(deps.jobs, 'sweep-files', () => sweepUploads(deps))
}

/**
 * Ends uploads that never received content or could not be ingested, and removes content that no file uses.
 */
export async function sweepUploads(deps: UploadDependencies): Promise<void> {
  const now = deps.clock.now().getTime()
  for (const file of await deps.store.listUnfinished(new Date(now - uploadPermitMs - sweepEveryMs))) {
    if (file.state === 'awaiting') {
      await forgetFile(deps, file, 'The content was not uploaded within a day.')
    } else if (await isIngestOver(deps, file)) {
      await finishIngest(deps, undefined, file.id, {
        state: 'REJECTED',
        message: 'The file could not be ingested.',
      })
    }
  }
  // A crash between the end of an upload and the removal of its assembly leaves one.
  for (const id of (await deps.contents.assemblies?.list()) ?? [])
    if ((await deps.store.find(id))?.state !== 'awaiting') await deps.contents.assemblies?.remove(id)
  await deps.store.foldStoredBytes()
  await deps.store.removeReleased(releasedContentMs, (hash) => deps.contents.remove(hash))
}
