import type { RecordStart } from '@headwater/schedules/server'
import type { TriggerType } from '@headwater/statuses/contract'
import type { Statuses } from '@headwater/statuses/server'
import type { PipelinesStore, StoredPipeline } from './pipelines-store.ts'

/** A run that did not start. */
export interface NotStarted {
  /** User who can see the report, in addition to users who can read the pipeline. */
  ownerId: number
  /** Trigger of the run. */
  type: TriggerType
  /** Status of the job. Default ERROR. */
  status?: 'WARN' | 'ERROR'
  /** Message with the event and the reason. */
  message: string
}

/** Creates a job that states why a run did not start, in the same transaction as `record`. */
export function reportNotStarted(
  { store, statuses }: { store: Pick<PipelinesStore, 'transaction'>; statuses: Pick<Statuses, 'startJob'> },
  pipeline: StoredPipeline,
  { ownerId, type, status = 'ERROR', message }: NotStarted,
  record: RecordStart,
): Promise<void> {
  const { id, name, groupId, groupName, version } = pipeline
  return store.transaction(async (executor) => {
    const jobId = await statuses.startJob(
      {
        type: 'PIPELINE',
        name,
        group: { id: groupId, name: groupName },
        ownerId,
        version,
        rootId: id,
        types: [type],
        payload: { groupName, pipelineId: id, version },
        status,
        message,
      },
      executor,
    )
    await record(jobId, executor)
  })
}
