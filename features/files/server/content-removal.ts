import type { Executor } from '@headwater/server-kit'
import type { UploadDependencies } from './upload-dependencies.ts'

type RemovalDependencies = Pick<UploadDependencies, 'jobs' | 'store' | 'contents'>

const jobKind = 'free-contents'
/** Maximum number of contents or uploads that one job removes. */
const itemsPerJob = 1000

/** Registers the job that removes content that no file and no part uses. */
export function registerContentRemoval({ jobs, store, contents }: RemovalDependencies): void {
  jobs.handle<{ hashes: string[]; uploads?: string[] }>(jobKind, {
    async run({ payload: { hashes, uploads = [] } }) {
      for (const id of uploads) await contents.assemblies?.remove(id)
      await store.freeContents(hashes, (hash) => contents.remove(hash))
    },
  })
}

/**
 * Schedules a job that removes the assemblies of uploads, and contents that no file and no part uses. It runs after
 * the transaction of `executor`.
 */
export async function scheduleContentRemoval(
  { jobs }: Pick<RemovalDependencies, 'jobs'>,
  hashes: readonly string[],
  uploads: readonly string[],
  executor: Executor,
): Promise<void> {
  for (let at = 0; at < uploads.length; at += itemsPerJob)
    await jobs.enqueue(jobKind, { hashes: [], uploads: uploads.slice(at, at + itemsPerJob) }, {}, executor)
  for (let at = 0; at < hashes.length; at += itemsPerJob)
    await jobs.enqueue(jobKind, { hashes: hashes.slice(at, at + itemsPerJob) }, {}, executor)
}
