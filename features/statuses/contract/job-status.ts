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

/** First sentence of the message of a step that was in progress when its run was stopped. Its status is ERROR. */
export const stoppedMessage = 'The run was stopped.'

/** Returns the message of a run that a user stopped, and of its steps that had not started. */
export function stoppedByMessage(userName: string): string {
  return `The run was stopped by ${userName}.`
}

/** Pattern of the messages of stopped runs and steps, for regular expressions of JavaScript and PostgreSQL. */
export const stoppedPattern = '^(“[^”]*”: )?The run was stopped(\\.| by )'
const stopped = new RegExp(stoppedPattern)

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
  return status === 'ERROR' && stopped.test(message) ? 'STOPPED' : status
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
