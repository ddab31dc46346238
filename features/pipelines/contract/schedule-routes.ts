import { z } from 'zod'
import { defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { readsPipelines } from './route-parts.ts'

const time = 'ISO 8601 in UTC without a zone'

/** A schedule of a pipeline or data prep in a list. */
export const listedSchedule = z.object({
  type: z.enum(['PIPELINE', 'DATAPREP']).describe('Whether the schedule runs a pipeline or a data prep.'),
  id: z.string().describe('Id of the pipeline or data prep.'),
  number: z.int().describe('Number of the schedule within its pipeline or data prep, from 1.'),
  name: z.string().describe('Name of the pipeline or data prep.'),
  groupName: z.string().describe('Group of the pipeline or data prep.'),
  cron: z.string().describe('Cron expression with five fields; empty for a SCHEDULER trigger.'),
  description: z
    .string()
    .describe(
      'Description of a SCHEDULER trigger in English, for example `Every 15 minutes`; empty for cron schedules.',
    ),
  timeZone: z.string().describe('IANA time zone of the schedule.'),
  active: z.boolean().describe('Whether the schedule starts runs; false if it is paused.'),
  nextRun: z
    .string()
    .nullable()
    .describe(`Time of the next run, ${time}; null while the schedule is paused.`),
  lastRun: z
    .object({
      at: z.string().describe(`Scheduled time, ${time}.`),
      jobId: z
        .string()
        .describe('Job id of the run. The job has the status ERROR if the run could not start.'),
    })
    .nullable()
    .describe('The last scheduled run; null before the first one.'),
  owner: z.string().describe('Name of the owner. Runs have the access of this user.'),
})
/** A schedule of a pipeline or data prep in a list. */
export type ListedSchedule = z.output<typeof listedSchedule>

/** Lists the schedules of pipelines and data preps. */
export const listSchedules = defineRoute({
  name: 'listSchedules',
  method: 'GET',
  path: '/mgmt/schedule',
  summary:
    'Schedules of the pipelines and data preps in readable groups, by name. Schedules of data preps require access to Storage.',
  permission: readsPipelines,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(300)
      .default('')
      .describe(
        'Text in the name of the pipeline or data prep, or pairs such as `groupName=Flows`; `*` is a wildcard. Default: all.',
      ),
  }),
  output: pageOf(listedSchedule),
})
