import { links, toast } from '@headwater/web-kit'
import { followRun, runMessage } from '@headwater/statuses/web'
import type { Pipeline } from '../../contract/index.ts'

/** Follows a run of a pipeline across pages and shows a message when it has finished. */
export function followPipelineRun(
  jobId: string,
  { groupName, name, version }: Pick<Pipeline, 'groupName' | 'name' | 'version'>,
): Promise<void> {
  return followRun(jobId, (job) => {
    const isError = job.status === 'ERROR'
    const isWarn = job.status === 'WARN'
    toast({
      kind: isError ? 'error' : isWarn ? 'warn' : 'success',
      title: `The run of ${name} ${isError ? 'failed' : isWarn ? 'ended with a warning' : 'succeeded'}.`,
      text: runMessage(job),
      action: { label: 'Show run', href: links.pipeline(groupName, name, version, { jobId }) },
    })
  })
}
