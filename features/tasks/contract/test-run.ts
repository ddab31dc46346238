import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { maxValuesLength, taskInput } from './task.ts'

/**
 * Input values by name. Values other than strings become JSON; scripts also receive numbers, yes-or-no values and lists as
 * JSON.
 */
const sample = z
  .record(z.string().max(200), z.json())
  .refine((values) => Object.keys(values).length <= 100, 'A sample can have at most 100 values.')
  .refine(
    (values) =>
      Object.values(values).reduce((sum: number, value) => sum + sampleText(value).length, 0) <=
      maxValuesLength,
    `The values of a sample can have at most ${maxValuesLength.toLocaleString('en')} characters in total.`,
  )

/** Returns the string that a script receives for a sample value. */
export function sampleText(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

/** Runs the script or SELECT of a task, which can be unsaved. */
export const testTask = defineRoute({
  name: 'testTask',
  method: 'POST',
  path: '/mgmt/task/test',
  summary:
    'Runs the script or SELECT of a task with sample values and streams the output as JSON lines, without saving the task or storing a run. It reads data with the access of the caller but cannot change any. It stops when the caller disconnects. Like runs, it also requires write access to Science/Creator.',
  permission: { resource: 'Science/Task', mode: 'RW' },
  body: taskInput
    .pick({
      groupName: true,
      readableName: true,
      definitionName: true,
      timeout: true,
      memory: true,
      params: true,
      requirements: true,
    })
    .extend({
      taskId: z
        .string()
        .max(200)
        .optional()
        .describe(
          'Saved task that determines the allowed hosts. Default: none, as for a new task; then no hosts are allowed.',
        ),
      sample: sample
        .default({})
        .describe(
          'Input values by name, as strings or JSON. Other inputs have the values of the task. Default: none.',
        ),
    }),
  bodyBytes: largeBodyBytes,
  errors: [
    'taskNotFound',
    'taskGroupNotFound',
    'taskGroupForbidden',
    'taskDefinitionUnknown',
    'paramUnknown',
    'paramInvalid',
    'paramMissing',
    'notTestable',
    'testInProgress',
    'testsUnavailable',
  ],
})

/** The first rows of a SELECT result. */
const testTable = z.object({
  columns: z.array(z.string()).describe('Names of the first 100 columns.'),
  columnCount: z.int().describe('Number of columns of the result.'),
  rows: z
    .array(z.array(z.string()))
    .describe('Cells of the first 100 rows. Cells longer than 300 characters end with “…”; nulls are empty.'),
  rowCount: z.int().describe('Number of rows of the result, at most 100,000.'),
  hasMoreRows: z.boolean().describe('Whether the result has more rows than `rowCount`.'),
})
/** The first rows of a SELECT result. */
export type TestTable = z.infer<typeof testTable>

/** A line of the response of a test run. */
export const testEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started').describe('The script has received a slot and starts.') }),
  z.object({
    type: z.literal('line').describe('A line of output.'),
    text: z.string().describe('Text of the line; secrets are redacted.'),
    stream: z.enum(['stdout', 'stderr']).describe('The stream of the line.'),
  }),
  z.object({
    type: z.literal('omitted').describe('Lines that were omitted because the output is long.'),
    lines: z.int().describe('Number of omitted lines.'),
  }),
  z.object({
    type: z.literal('result').describe('The end of the test run.'),
    status: z.enum(['INFO', 'WARN', 'ERROR']).describe('Status that a run would have.'),
    message: z.string().describe('The warning or error; empty if the test run succeeded.'),
    line: z
      .int()
      .nullable()
      .describe(
        'Line of the script that raised the error; null if there is none. The messages of a SELECT contain the line and column.',
      ),
    table: testTable
      .nullable()
      .describe('First rows of the SELECT result; null for scripts and after an error.'),
    values: z
      .array(
        z.object({
          name: z.string().describe('Name of the output or other value.'),
          value: z.string().describe('The value; secrets are redacted.'),
        }),
      )
      .describe('Values that the script stored for later tasks.'),
    warnings: z.array(z.string()).describe('Reasons why runs will fail, such as an unavailable package.'),
    durationMs: z.int().describe('Duration of the script, in milliseconds.'),
  }),
])
/** A line of the response of a test run. */
export type TestEvent = z.infer<typeof testEvent>
