import { z } from 'zod'

/**
 * Types of parameter values. Every value is a string; the type defines how it is interpreted. The value of a SECRET is the name
 * of a stored secret; only the running task receives the secret itself.
 */
export const valueTypes = [
  'TEXT',
  'LONG_TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'DATE_TIME',
  'DURATION',
  'CHOICE',
  'LIST',
  'JSON',
  'GROUP',
  'FILE',
  'DATA_PREP',
  'INSIGHT',
  'SERIES',
  'CRON',
  'TIME_ZONE',
  'ADDRESSES',
  'SCRIPT',
  'SECRET',
] as const
/** Type of a parameter value. */
export type ValueType = (typeof valueTypes)[number]

/** Modes of a value: fixed, or an expression that each run evaluates. */
export const paramModes = ['fixed', 'expression'] as const
/** Mode of a value. */
export type ParamMode = (typeof paramModes)[number]

/** Schema of the mode, which is stored with the value. */
export const paramMode = z
  .enum(paramModes)
  .optional()
  .describe(
    '`expression`: each run evaluates the value. `fixed`: the value is used unchanged. Default fixed.',
  )

/** Condition under which a parameter is visible. */
export const paramCondition = z.object({
  paramName: z
    .string()
    .min(1)
    .max(200)
    .describe('Parameter of the same task to check. If it does not exist, the parameter is hidden.'),
  operator: z
    .string()
    .max(50)
    .describe('Operator in any accepted spelling, such as `equals`, `>=` or `one of`.'),
  value: z
    .string()
    .max(2000)
    .default('')
    .describe(
      'Value to compare with, regardless of case; for `one of`, a list separated by commas. Default: empty.',
    ),
})
/** Condition under which a parameter is visible. */
export type ParamCondition = z.output<typeof paramCondition>
