import { z } from 'zod'

/** Levels of log lines, from the least to the most important. */
export const logLevels = ['DEBUG', 'INFO', 'WARN', 'ERROR'] as const
/** A level of a log line. */
export type LogLevel = (typeof logLevels)[number]

/** Level names of other programs. */
const otherNames: Record<string, LogLevel> = {
  TRACE: 'DEBUG',
  NOTICE: 'INFO',
  WARNING: 'WARN',
  CRITICAL: 'ERROR',
  FATAL: 'ERROR',
}

/**
 * Returns the level with a name, regardless of case. Accepts names that other programs use, such as `WARNING`. Returns
 * undefined for unknown names.
 */
export function findLevel(name: string): LogLevel | undefined {
  const upper = name.trim().toUpperCase()
  return (
    logLevels.find((level) => level === upper) ??
    (Object.hasOwn(otherNames, upper) ? otherNames[upper] : undefined)
  )
}

/** A line of a log. */
export const logLine = z.object({
  line: z.int().min(1).describe('Number of the line within the job log, from 1.'),
  time: z
    .string()
    .describe(
      'Time of the log record, or the time of arrival if the line contains none. ISO date-time in UTC without a zone, for example `2026-01-31T12:00:00`.',
    ),
  eId: z.string().describe('Execution id of the step that wrote the line.'),
  component: z.string().describe('Name of the step that wrote the line.'),
  level: z.enum(logLevels).describe('Level of the line.'),
  text: z.string().describe('Text, at most 8000 characters, without the level and time of a log record.'),
})
/** A line of a log, as a type. */
export type LogLine = z.infer<typeof logLine>

/** A step with its line counts by level. */
export const logComponent = z.object({
  eId: z.string().describe('Execution id of the step.'),
  component: z.string().describe('Name of the step.'),
  lineCounts: z
    .object({
      DEBUG: z.int().min(0).describe('Number of debug lines.'),
      INFO: z.int().min(0).describe('Number of information lines.'),
      WARN: z.int().min(0).describe('Number of warnings.'),
      ERROR: z.int().min(0).describe('Number of errors.'),
    })
    .describe('Number of lines by level.'),
})
/** A step with its line counts by level, as a type. */
export type LogComponent = z.infer<typeof logComponent>
