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

/** Triggers of a job. `None`: a user started it manually. In filters, `ANY` matches every trigger. */
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

/** Kinds of jobs: a pipeline run, the ingest of a file (ETL), a data prep run. */
export const jobTypes = ['PIPELINE', 'ETL', 'DATAPREP'] as const
/** A kind of job. */
export type JobType = (typeof jobTypes)[number]

/** First sentence of the message of a step that was in progress when its run was stopped. The status of the step is ERROR. */
export const stoppedMessage = 'The run was stopped.'

/** Returns the message of a run that a user stopped, which its unstarted steps also get. */
export function stoppedByMessage(userName: string): string {
  return `The run was stopped by ${userName}.`
}

/** Regular expression for the messages of stopped runs and steps, valid in JavaScript and PostgreSQL. */
export const stoppedPattern = '^(“[^”]*”: )?The run was stopped(\\.| by )'
const stopped = new RegExp(stoppedPattern)

/**
 * Returns the displayed status: `STOPPED` for a job or step that a user stopped, otherwise its status. The message of a job can
 * begin with a step name: `“Load”: The run was stopped.`
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
 * Combines the status of a step with the statuses of the following steps. Paused if the step itself is paused; otherwise the
 * first status that occurs in the order error, running, warn, paused, pending, unexecuted, info. Completed if all steps are
 * completed; unexecuted for unknown statuses.
 */
export function combinedStatus(own: JobStatus, following: readonly JobStatus[]): JobStatus {
  if (own === 'PAUSED') return 'PAUSED'
  const all = [own, ...following]
  const first = priority.find((status) => all.includes(status))
  if (first !== undefined) return first
  return all.every((status) => status === 'COMPLETED') ? 'COMPLETED' : 'UNEXECUTED'
}
