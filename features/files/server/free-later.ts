import type { Executor } from '@headwater/server-kit'
import type { UploadDependencies } from './upload-dependencies.ts'

type FreeingDependencies = Pick<UploadDependencies, 'jobs' | 'store' | 'contents'>

const jobKind = 'free-contents'
/** Maximum number of contents of a job. */
const hashesPerJob = 1000

/** Registers the job that removes contents which no file and no part has. */
export function registerFreeing({ jobs, store, contents }: FreeingDependencies): void {
  jobs.handle<{ hashes: string[] }>(jobKind, {
    run: ({ payload }) => store.freeContents(payload.hashes, (hash) => contents.remove(hash)),
  })
}

/** Removes contents that nothing has, after the transaction that lets go of them. */
export async function freeLater(
  { jobs }: Pick<FreeingDependencies, 'jobs'>,
  hashes: readonly string[],
  executor: Executor,
): Promise<void> {
  for (let at = 0; at < hashes.length; at += hashesPerJob)
    await jobs.enqueue(jobKind, { hashes: hashes.slice(at, at + hashesPerJob) }, {}, executor)
}
