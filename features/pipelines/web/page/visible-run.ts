import type { Job } from '@headwater/statuses/contract'

/**
 * Returns the id of the run that the page of a pipeline shows: the run in the URL, or else the newest run. The page of an
 * older version shows only runs of this version.
 * @param hidden the run that the user has hidden
 */
export function visibleRunId({
  named,
  newest,
  hidden,
  pipeline,
}: {
  named: string | undefined
  newest: Pick<Job, 'jobId' | 'version'> | null | undefined
  hidden: string | undefined
  pipeline: { version: number; latest: boolean } | undefined
}): string | undefined {
  if (named !== undefined) return named
  if (newest == null || newest.jobId === hidden) return undefined
  const isVisible = pipeline === undefined || pipeline.latest || newest.version === pipeline.version
  return isVisible ? newest.jobId : undefined
}
