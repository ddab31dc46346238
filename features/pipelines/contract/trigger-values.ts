/**
 * Names of the values of triggers; a task refers to one with `${trigger.fileId}`. A parent pipeline sets `item` and
 * `index`.
 */
export const triggerValueNames = [
  'type',
  'at',
  'date',
  'fileId',
  'fileName',
  'fileVersion',
  'groupName',
  'jobId',
  'status',
  'pipelineId',
  'pipelineName',
  'attempt',
  'body',
  'contentType',
  'from',
  'subject',
  'attachments',
  'item',
  'index',
] as const
/** Name of a value of a trigger. */
export type TriggerValueName = (typeof triggerValueNames)[number]

/** Values of a trigger by name. */
export type TriggerValues = Partial<Record<TriggerValueName, string>>
