import { z } from 'zod'
import { cutText, defineRoute, pageOf, pageQuery } from '@headwater/contract'
import { findLevel, logComponent, logLevels, logLine, type LogLevel } from './log-line.ts'

const permission = { resource: 'Statuses', mode: 'R' } as const

const params = z.object({ jobId: z.string().max(100).describe('Id of the job.') })

const levelList = z.string().transform((text, context) => {
  const levels: LogLevel[] = []
  for (const name of text.split(',').filter((part) => part.trim() !== '')) {
    const level = findLevel(name)
    if (level === undefined) {
      const message = `“${cutText(name)}” is not a level. Use ${logLevels.join(', ')}.`
      context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
    levels.push(level)
  }
  return levels
})

const filters = {
  component: z.string().max(300).optional().describe('Only lines of steps with this name.'),
  eId: z.string().max(200).optional().describe('Only lines of the step with this execution id.'),
  level: levelList
    .optional()
    .describe(
      'Only lines of these levels, separated by commas: DEBUG, INFO, WARN or ERROR, regardless of case.',
    ),
  query: z.string().max(500).optional().describe('Only lines that contain this text, regardless of case.'),
}

/** Route `GET /log/:jobId`. */
export const getLog = defineRoute({
  name: 'getLog',
  method: 'GET',
  path: '/log/:jobId',
  summary:
    'Lines of a job log in order of arrival. To get only new lines, send the number of the last known line as `after`.',
  permission,
  params,
  query: z.object({
    ...pageQuery(),
    ...filters,
    after: z.coerce
      .number<string | number | undefined>()
      .int()
      .min(0)
      .default(0)
      .describe('Only lines with a higher number; `from` counts from that line.'),
  }),
  output: pageOf(logLine).extend({
    lastLine: z.int().min(0).describe('Number of the last line of the whole log; 0 for an empty log.'),
    isLimited: z
      .boolean()
      .describe(
        'Whether the log reached its limit. The last line states the limit; later lines are not stored.',
      ),
  }),
  errors: ['jobNotReadable', 'tooManySearches'],
})

/** Route `GET /log/:jobId/components`. */
export const listLogComponents = defineRoute({
  name: 'listLogComponents',
  method: 'GET',
  path: '/log/:jobId/components',
  summary: 'Steps that wrote lines to a job log, in the order of their first lines.',
  permission,
  params,
  output: z.object({ items: z.array(logComponent).describe('The steps.') }),
  errors: ['jobNotReadable'],
})

/** Route `GET /log/:jobId/download`. */
export const downloadLog = defineRoute({
  name: 'downloadLog',
  method: 'GET',
  path: '/log/:jobId/download',
  summary: 'A job log as a text file: time, level, step and text of each line, separated by tabs.',
  permission,
  params,
  query: z.object(filters),
  errors: ['jobNotReadable'],
})
