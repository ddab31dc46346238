import { z } from 'zod'
import { objectName } from '@headwater/contract'

/** What the value of a parameter means; a value is always text. */
export const valueTypes = [
  'TEXT',
  'LONG_TEXT',
  'NUMBER',
  'BOOLEAN',
  'DATE',
  'GROUP',
  'FILE',
  'DATA_PREP',
  'SCRIPT',
] as const
export type ValueType = (typeof valueTypes)[number]

export const paramTypes = ['INPUT', 'OUTPUT'] as const

/** The largest value of a parameter, in characters; scripts are values. */
export const maxValueLength = 1_000_000

/** The values of all parameters of a task together, in characters. */
export const maxValuesLength = 2_000_000

function named(thing: string) {
  return objectName(thing, { refused: '=' }).refine(
    (text) => text !== '__proto__',
    `The name of ${thing} cannot be __proto__.`,
  )
}

/** The value of a parameter. The database and the environment of processes know no zero byte. */
export const paramValue = z
  .string()
  .max(maxValueLength, `A value has at most ${maxValueLength.toLocaleString('en')} characters.`)
  .refine((text) => !text.includes('\u0000'), 'A value has no zero byte.')

/** A parameter of a task. */
export const taskParam = z.object({
  name: named('a parameter').describe('Name, unique within the task, such as `Input #1`.'),
  type: z.enum(paramTypes).default('INPUT').describe('INPUT: what it is given. OUTPUT: what it gives on.'),
  valueType: z.enum(valueTypes).default('TEXT').describe('What the value means. Default TEXT.'),
  value: paramValue.default('').describe('Value; empty = `defaultValue`.'),
  defaultValue: paramValue.default('').describe('What counts while `value` is empty.'),
  dynamic: z
    .boolean()
    .default(false)
    .describe('Whether another task gives the value: a reference `${uuid}`. Default false.'),
  optional: z.boolean().default(false).describe('Whether it may stay empty. Default false.'),
  description: z.string().max(2000).default('').describe('For people.'),
})
export type TaskParam = z.output<typeof taskParam>

/** What is decided when a task is saved. */
export const taskInput = z.object({
  name: named('a task').describe('Name, unique in its group; 1 to 200 characters.'),
  groupName: z
    .string('Choose a group.')
    .trim()
    .min(1, 'Choose a group.')
    .max(200)
    .describe('Group it lies in.'),
  readableName: z.string().trim().max(200).default('').describe('What people call it; empty = its name.'),
  definitionName: z.string().trim().min(1).max(200).describe('Kind of task, for example `python-runner`.'),
  description: z.string().max(4000).default('').describe('What it does.'),
  timeout: z
    .int()
    .min(1, 'A task may run for 1 to 3600 seconds.')
    .max(3600, 'A task may run for 1 to 3600 seconds.')
    .optional()
    .describe('Seconds that a run may take, 1 to 3600; default that of its kind.'),
  memory: z
    .int()
    .min(64, 'A task has 64 to 4096 MiB of memory.')
    .max(4096, 'A task has 64 to 4096 MiB of memory.')
    .optional()
    .describe('MiB of memory, 64 to 4096; default that of its kind.'),
  markdownId: z.string().max(64).nullish().describe('File with its documentation; null without one.'),
  isPaused: z
    .boolean()
    .default(false)
    .describe('Whether runs pause before it until they are continued. Default false.'),
  params: z
    .array(taskParam)
    .max(100, 'A task has at most 100 parameters.')
    .refine(
      (params) => new Set(params.map(({ name }) => name)).size === params.length,
      'Two parameters have the same name.',
    )
    .refine(
      (params) => sizeOf(params) <= maxValuesLength,
      `The values of a task have at most ${maxValuesLength.toLocaleString('en')} characters together.`,
    )
    .default([])
    .describe('Parameters; those of its kind that are left out have their defaults.'),
})
export type TaskInput = z.output<typeof taskInput>

/** A kind of task that the installation knows: what it needs, and what it gives. */
export const taskDefinition = z.object({
  definitionId: z.string().describe('Id of the kind.'),
  definitionName: z.string().describe('Name of the kind.'),
  readableName: z.string().describe('What people call it.'),
  category: z.string().describe('What it belongs to, for example `Python`.'),
  description: z.string().describe('What it does.'),
  imageUrl: z.string().nullable().describe('Picture of it; null without one.'),
  cpu: z.number().describe('Processors it may use.'),
  memory: z.number().describe('MiB of memory.'),
  timeout: z.number().describe('Seconds that a run may take.'),
  params: z.array(taskParam),
  openParams: z.boolean().describe('Whether tasks of this kind may have parameters of their own besides.'),
})
export type TaskDefinition = z.infer<typeof taskDefinition>

/** A task: a kind of task with its parameters, saved in a group. All versions share the id. */
export const task = taskDefinition.omit({ openParams: true }).extend({
  id: z.string().describe('Id that all versions share; of a built-in task the name of its kind.'),
  name: z.string().describe('Name, unique in its group.'),
  groupName: z.string().describe('Group it lies in; empty = built in.'),
  version: z.int().describe('Number of this version, counted from 1.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  markdownId: z.string().nullable(),
  isPaused: z.boolean(),
  modifyDate: z
    .string()
    .nullable()
    .describe('When it was saved, ISO in UTC without a zone; null when built in.'),
  modifiedBy: z.string().nullable().describe('User name of who saved this version; null when built in.'),
  writeAccess: z.boolean().describe('Whether the caller may save and delete it.'),
})
export type Task = z.infer<typeof task>

/** How long the values of parameters are together, in characters. */
export function sizeOf(params: readonly { value: string; defaultValue?: string }[]): number {
  return params.reduce((sum, { value, defaultValue = '' }) => sum + value.length + defaultValue.length, 0)
}

/** The value of an input that counts: its own, or its default. */
export function valueOf({ value, defaultValue }: Pick<TaskParam, 'value' | 'defaultValue'>): string {
  return value === '' ? defaultValue : value
}
