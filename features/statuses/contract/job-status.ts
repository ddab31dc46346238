/** The statuses of a job and its components. Upper case in responses, any case in requests. */
export const jobStatuses = [
  'RUNNING',
  'PAUSED',
  'COMPLETED',
  'ERROR',
  'INFO',
  'PENDING',
  'UNEXECUTED',
  'WARN',
] as const
/** A status of a job or component. */
export type JobStatus = (typeof jobStatuses)[number]

/** Triggers of a job. `None`: a user started it manually. `ANY` means all of them in filters. */
export const triggerTypes = [
  'ANY',
  'None',
  'EMAIL',
  'FILEARRIVAL',
  'PIPELINE',
  'RETRY',
  'CRON',
  'SCHEDULER',
] as const
/** A trigger of a job. */
export type TriggerType = (typeof triggerTypes)[number]

/** Kinds of jobs: a run of a pipeline, the ingest of a file (ETL), a run of a data prep. */
export const jobTypes = ['PIPELINE', 'ETL', 'DATAPREP'] as const
/** A kind of job. */
export type JobType = (typeof jobTypes)[number]

/** First sentence of the message of a run, and of its steps, that a user stopped. Their status is ERROR. */
export const stoppedMessage = 'The run was stopped.'

/**
 * Returns the status that users see: `STOPPED` for a job or step that a user stopped, otherwise its status. The message of a job can
 * begin with the name of its step: `“Load”: The run was stopped.`
 */
export function visibleStatus<S extends string>({
  status,
  message,
}: {
  status: S
  message: string
}): S | 'STOPPED' {
  const isStopped = status === 'ERROR' && message.replace(/^“.*?”: /, '').startsWith(stoppedMessage)
  return isStopped ? 'STOPPED' : status
}

const priority = ['ERROR', 'RUNNING', 'WARN', 'PAUSED', 'PENDING', 'UNEXECUTED', 'INFO'] as const

/**
 * Combines the status of a step with those of the following steps: paused if the step itself is paused; otherwise the
 * first that occurs in the order error, running, warn, paused, pending, unexecuted, info. Completed if all steps are
 * completed; unexecuted for unknown statuses.
 */
export function combinedStatus(own: JobStatus, following: readonly JobStatus[]): JobStatus {
  if (own === 'PAUSED') return 'PAUSED'
  const all = [own, ...following]
  const first = priority.find((status) => all.includes(status))
  if (first !== undefined) return first
  return all.every((status) => status === 'COMPLETED') ? 'COMPLETED' : 'UNEXECUTED'
}
