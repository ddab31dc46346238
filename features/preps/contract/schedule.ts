import { z } from 'zod'

/** When a data prep is run by itself, as it is set. */
export const prepScheduleInput = z.object({
  cron: z
    .string()
    .max(100, 'A cron expression has at most 100 characters.')
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .describe(
      'Minute, hour, day of the month, month and weekday, such as `0 7 * * 1-5`; at most 100 characters.',
    ),
  timeZone: z
    .string()
    .trim()
    .max(100)
    .describe('IANA name of the zone whose clocks count, such as Europe/London or UTC.'),
  active: z.boolean().default(true).describe('Whether runs start; false = paused. Default true.'),
})
export type PrepScheduleInput = z.infer<typeof prepScheduleInput>

/** When a data prep is run by itself, as it is kept. */
export const prepSchedule = prepScheduleInput.extend({
  setBy: z.string().describe('User name of who set it; runs ask with the rights of this user.'),
  setAt: z.string().describe('When it was set, ISO date-time in UTC without a zone.'),
  nextRun: z.string().nullable().describe('When the next run starts, in the same form; null while paused.'),
  lastRun: z
    .object({
      at: z.string().describe('When it was due, in the same form.'),
      jobId: z.string().describe('Its job, with an ERROR if no run could start.'),
    })
    .nullable()
    .describe('The run that was started last; null before the first.'),
})
export type PrepSchedule = z.infer<typeof prepSchedule>
