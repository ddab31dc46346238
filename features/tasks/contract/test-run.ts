import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { maxValuesLength, taskInput } from './task.ts'

/** Values of inputs by name. Values other than texts become JSON, which is how scripts receive numbers, yes-or-no values and lists. */
const sample = z
  .record(z.string().max(200), z.json())
  .refine((values) => Object.keys(values).length <= 100, 'A sample has at most 100 values.')
  .refine(
    (values) =>
      Object.values(values).reduce((sum: number, value) => sum + sampleText(value).length, 0) <=
      maxValuesLength,
    `The values of a sample have at most ${maxValuesLength.toLocaleString('en')} characters together.`,
  )

/** Returns the value that a script receives for a value of a sample. */
export function sampleText(value: unknown): string {
  return typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value)
}

/** Runs the script or SELECT of a task that need not be saved. */
export const testTask = defineRoute({
  name: 'testTask',
  method: 'POST',
  path: '/mgmt/task/test',
  summary:
    'Runs the script or the SELECT of a task on sample values and streams its output as JSON lines, without saving the task or storing a run. It reads data with the access of the caller, but changes none. It stops when the caller disconnects. Also needs write access to Science/Creator, as runs do.',
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
        .describe('Saved task whose allowed hosts apply. Default: a new task, which reaches no hosts.'),
      sample: sample
        .default({})
        .describe(
          'Values of inputs by name; texts, or JSON. Other inputs have their own values. Default: none.',
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

/** The first rows of the result of a SELECT. */
const testTable = z.object({
  columns: z.array(z.string()).describe('Names of the first 100 columns.'),
  columnCount: z.int().describe('Number of columns of the result.'),
  rows: z
    .array(z.array(z.string()))
    .describe('Cells of the first 100 rows. Cells longer than 300 characters end with “…”; nulls are empty.'),
  rowCount: z.int().describe('Number of rows of the result, at most 100,000.'),
  hasMoreRows: z.boolean().describe('Whether the result has more rows than `rowCount`.'),
})
/** The first rows of the result of a SELECT. */
export type TestTable = z.infer<typeof testTable>

/** A line of the response of a test run. */
export const testEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started').describe('The script has a slot and starts.') }),
  z.object({
    type: z.literal('line').describe('A line of output.'),
    text: z.string().describe('The line, without secrets.'),
    stream: z.enum(['stdout', 'stderr']).describe('The stream of the line.'),
  }),
  z.object({
    type: z.literal('omitted').describe('Lines are missing here, because the output is long.'),
    lines: z.int().describe('Their number.'),
  }),
  z.object({
    type: z.literal('result').describe('The end of the test run.'),
    status: z.enum(['INFO', 'WARN', 'ERROR']).describe('The result that a run would have.'),
    message: z.string().describe('The warning or error; empty after a success.'),
    line: z
      .int()
      .nullable()
      .describe(
        'Line of the script that raised the error; null if there is none. Messages of a SELECT contain their line and column.',
      ),
    table: testTable
      .nullable()
      .describe('First rows of the result of a SELECT; null for scripts and after an error.'),
    values: z
      .array(
        z.object({
          name: z.string().describe('Name of the output, or of another value.'),
          value: z.string().describe('The value, without secrets.'),
        }),
      )
      .describe('Values that the script stored for later tasks.'),
    warnings: z
      .array(z.string())
      .describe('Reasons for which runs will fail, such as a package that is not available.'),
    durationMs: z.int().describe('Duration of the script, in milliseconds.'),
  }),
])
/** A line of the response of a test run. */
export type TestEvent = z.infer<typeof testEvent>
