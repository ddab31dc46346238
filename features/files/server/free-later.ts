import type { Executor } from '@headwater/server-kit'
import type { UploadDependencies } from './upload-dependencies.ts'

type FreeingDependencies = Pick<UploadDependencies, 'jobs' | 'store' | 'contents'>

const jobKind = 'free-contents'
/** Maximum number of contents or uploads of a job. */
const hashesPerJob = 1000

/** Registers the job that removes content that no file and no part uses. */
export function registerFreeing({ jobs, store, contents }: FreeingDependencies): void {
  jobs.handle<{ hashes: string[]; uploads?: string[] }>(jobKind, {
    async run({ payload: { hashes, uploads = [] } }) {
      for (const id of uploads) await contents.assemblies?.remove(id)
      await store.freeContents(hashes, (hash) => contents.remove(hash))
    },
  })
}

/** Removes contents that nothing has, and assemblies of uploads, after the transaction that lets go of them. */
export async function freeLater(
  { jobs }: Pick<FreeingDependencies, 'jobs'>,
  hashes: readonly string[],
  uploads: readonly string[],
  executor: Executor,
): Promise<void> {
  for (let at = 0; at < uploads.length; at += hashesPerJob)
    await jobs.enqueue(jobKind, { hashes: [], uploads: uploads.slice(at, at + hashesPerJob) }, {}, executor)
  for (let at = 0; at < hashes.length; at += hashesPerJob)
    await jobs.enqueue(jobKind, { hashes: hashes.slice(at, at + hashesPerJob) }, {}, executor)
}
