import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { pipelineId, readsPipelines, writesPipelines } from './route-parts.ts'
import { pipelineTrigger, schedulerTriggers } from './triggers.ts'

const triggerList = z.object({
  schedulerTriggers: z.array(pipelineTrigger).describe('Triggers of the pipeline, in order.'),
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
    'Sets all triggers of a pipeline. Runs have the access of the user who last changed their trigger. Triggers with unchanged fields keep their owner.',
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

/** Starts a run through a webhook. */
export const callWebhook = defineRoute({
  name: 'callWebhook',
  method: 'POST',
  path: '/mgmt/webhook/:secret',
  summary:
    'Starts a run of the pipeline that has this webhook, with the access of the owner of the webhook. The body, up to 64 KiB of UTF-8 text, becomes the value `trigger.body`. A repeated `Idempotency-Key` or signature does not start a second run.',
  permission: 'public',
  params: z.object({ secret: z.string().max(200).describe('Secret of the webhook, from its URL.') }),
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
