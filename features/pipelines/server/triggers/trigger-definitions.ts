import type { PipelineTrigger } from '../../contract/index.ts'

/** Trigger types that this installation supports. */
export type StoredTriggerType = PipelineTrigger['type']

type Fields<Type extends StoredTriggerType, Names extends string> = Pick<
  Extract<PipelineTrigger, { type: Type }>,
  Names & keyof Extract<PipelineTrigger, { type: Type }>
>

/** Stored fields of each trigger type, with group ids instead of names. */
export interface TriggerDefinitions {
  CRON: Fields<'CRON', 'cron' | 'timeZone' | 'holidayCalendar' | 'missedRuns'>
  SCHEDULER: Fields<'SCHEDULER', 'rule' | 'timeZone' | 'holidayCalendar' | 'onFreeDay' | 'missedRuns'>
  FILEARRIVAL: { groupId: number; namePattern: string }
  PIPELINE: Fields<'PIPELINE', 'pipelineId' | 'statuses'>
  RETRY: Fields<'RETRY', 'attempts' | 'delaySeconds' | 'backoff' | 'statuses'>
  EMAIL: { allowedSenders: string[]; subjectPattern: string; attachmentsGroupId: number | null }
  None: Fields<'None', 'signed'>
}

/** The type of a trigger with its fields. */
export type TypedDefinition = {
  [Type in StoredTriggerType]: { type: Type; definition: TriggerDefinitions[Type] }
}[StoredTriggerType]

/** A stored trigger. */
export type StoredTrigger = TypedDefinition & {
  /** Id of the trigger, a UUID. */
  id: string
  /** Id of the pipeline. */
  pipelineId: string
  /** Name for users; can be empty. */
  name: string
  /** Whether it starts runs. */
  active: boolean
  /** Owner. Runs have the access of this user. */
  owner: { id: number; userName: string }
  /** Time of the last change. */
  setAt: Date
  /** Number of the key of a webhook or e-mail address. */
  keyNumber: number
  /** The last event and its job; undefined before the first one. */
  lastRun: { at: Date; jobId: string } | undefined
  /** Time of the next occurrence of a schedule; undefined for other triggers. */
  nextAt: Date | undefined
}

/** A trigger to store. */
export type NewTrigger = TypedDefinition &
  Pick<StoredTrigger, 'id' | 'name' | 'active' | 'setAt' | 'keyNumber'> & {
    /** Id of the owner. */
    ownerId: number
    /** SHA-256 of the webhook secret; undefined leaves the stored one unchanged. */
    secretHash?: string | undefined
  }
