/**
 * Names of trigger values. A task refers to a value with, for example, `${trigger.fileId}`. A parent pipeline sets `item` and
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
/** Name of a trigger value. */
export type TriggerValueName = (typeof triggerValueNames)[number]

/** Trigger values by name. */
export type TriggerValues = Partial<Record<TriggerValueName, string>>
