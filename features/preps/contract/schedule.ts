import { z } from 'zod'

/** A schedule of a data prep to set. */
export const prepScheduleInput = z.object({
  cron: z
    .string()
    .max(100, 'A cron expression can have at most 100 characters.')
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .describe(
      'Minute, hour, day of the month, month and weekday, such as `0 7 * * 1-5`; at most 100 characters.',
    ),
  timeZone: z
    .string()
    .trim()
    .max(100)
    .describe('IANA time zone of the expression, such as Europe/London or UTC.'),
  active: z.boolean().default(true).describe('Whether runs start; false = paused. Default true.'),
})
/** A parsed {@link prepScheduleInput}. */
export type PrepScheduleInput = z.infer<typeof prepScheduleInput>

/** A stored schedule of a data prep. */
export const prepSchedule = prepScheduleInput.extend({
  setBy: z.string().describe('Name of the user who set it; runs have the access of this user.'),
  setAt: z.string().describe('Time of the last change, ISO date-time in UTC without a zone.'),
  nextRun: z.string().nullable().describe('Time of the next run, in the same format; null while paused.'),
  lastRun: z
    .object({
      at: z.string().describe('Scheduled time, in the same form.'),
      jobId: z.string().describe('Id of its job; the job has an ERROR if the run could not start.'),
    })
    .nullable()
    .describe('The last run; null before the first.'),
})
/** A parsed {@link prepSchedule}. */
export type PrepSchedule = z.infer<typeof prepSchedule>
