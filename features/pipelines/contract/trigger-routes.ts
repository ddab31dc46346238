import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'
import { pipelineTrigger, schedulerTriggers } from './triggers.ts'

const triggerList = z.object({
  schedulerTriggers: z.array(pipelineTrigger).describe('Triggers of the pipeline, in their order.'),
})

/** Returns the triggers of a pipeline. */
export const getPipelineSchedule = defineRoute({
  name: 'getPipelineSchedule',
  method: 'GET',
  path: '/mgmt/pipeline/:pipelineId/schedule',
  summary: 'Triggers of a pipeline. Excludes `cron-trigger` tasks, which belong to pipeline versions.',
  permission: readsPipelines,
  params: pipelineId,
  output: triggerList,
  errors: ['pipelineNotFound'],
})

/** Sets the triggers of a pipeline. */
export const setPipelineSchedule = defineRoute({
  name: 'setPipelineSchedule',
  method: 'PUT',
  path: '/mgmt/pipeline/:pipelineId/schedule',
  summary:
    'Sets all triggers of a pipeline. Runs have the access of the user who changed their trigger last. Triggers whose fields are unchanged keep their owner.',
  permission: writesPipelines,
  params: pipelineId,
  body: z.object({
    pipelineId: z.string().max(64).optional().describe('Id of the pipeline; ignored.'),
    schedulerTriggers: schedulerTriggers.describe('All triggers of the pipeline, at most 20.'),
  }),
  output: triggerList,
  errors: [
    'pipelineNotFound',
    'pipelineGroupForbidden',
    'scheduleUnreadable',
    'scheduleZoneUnknown',
    'noSuchHolidayCalendar',
    'triggerInvalid',
  ],
})

/** Starts a run by a webhook. */
export const callWebhook = defineRoute({
  name: 'callWebhook',
  method: 'POST',
  path: '/mgmt/webhook/:secret',
  summary:
    'Starts a run of the pipeline with this webhook, with the access of its owner. The body, up to 64 KiB of UTF-8 text, is the value `trigger.body`. A repeated `Idempotency-Key`, or a repeated signature, does not start another run.',
  permission: 'public',
  params: z.object({ secret: z.string().max(200).describe('Secret of the webhook, from its path.') }),
  body: z.string().describe('Text for the run, for example JSON.'),
  bodyKind: 'text',
  output: z.object({
    isNew: z
      .boolean()
      .describe('Whether the call starts a run; false if an identical call already started one.'),
  }),
  successStatus: 202,
  errors: ['webhookNotFound', 'webhookSignature', 'tooManyEvents'],
})
