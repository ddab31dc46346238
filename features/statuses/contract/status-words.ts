/** Every status of a job or of one of its components. On the wire they are upper case; input may come in any case. */
export const statusWords = [
  'RUNNING',
  'PAUSED',
  'COMPLETED',
  'ERROR',
  'INFO',
  'PENDING',
  'UNEXECUTED',
  'WARN',
] as const
export type StatusWord = (typeof statusWords)[number]

/** What can start a job. `None`: somebody started it by hand; `ANY` stands for all of them in filters. */
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
export type TriggerType = (typeof triggerTypes)[number]

/** Kinds of jobs: a run of a pipeline, the taking over of a file into its group, a run of a data prep. */
export const jobTypes = ['PIPELINE', 'ETL', 'DATAPREP'] as const
export type JobType = (typeof jobTypes)[number]

const priority = ['ERROR', 'RUNNING', 'WARN', 'PAUSED', 'PENDING', 'UNEXECUTED', 'INFO'] as const

/**
 * The status of a step together with the steps after it: paused when the step itself is; otherwise the worst of all, in
 * the order error, running, warn, paused, pending, unexecuted, info. Steps that are all completed are completed; with
 * nothing to go by it is unexecuted.
 */
export function combinedStatus(own: StatusWord, following: readonly StatusWord[]): StatusWord {
  if (own === 'PAUSED') return 'PAUSED'
  const all = [own, ...following]
  const worst = priority.find((word) => all.includes(word))
  if (worst !== undefined) return worst
  return all.every((word) => word === 'COMPLETED') ? 'COMPLETED' : 'UNEXECUTED'
}
