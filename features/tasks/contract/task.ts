import { z } from 'zod'
import { isPlainLine, notPlainLine, objectName } from '@headwater/contract'
import { lockedPackage, requirement, requirements } from './requirements.ts'
import { paramCondition, paramMode, valueTypes } from './value-types.ts'

/** Directions of parameters. */
export const paramTypes = ['INPUT', 'OUTPUT'] as const

/** Maximum length of a parameter value, including scripts, in characters. */
export const maxValueLength = 1_000_000

/** Maximum total length of all values of a task, in characters. */
export const maxValuesLength = 2_000_000

function named(thing: string) {
  return objectName(thing, { refused: '=' }).refine(
    (text) => text !== '__proto__',
    `The name of ${thing} cannot be __proto__.`,
  )
}

/** Value of a parameter. Zero bytes are rejected, because PostgreSQL and environment variables cannot store them. */
export const paramValue = z
  .string()
  .max(maxValueLength, `A value can have at most ${maxValueLength.toLocaleString('en')} characters.`)
  .refine((text) => !text.includes('\u0000'), "Values can't contain NUL characters.")

/** Parameter of a task. */
export const taskParam = z.object({
  name: named('a parameter').describe('Name, unique within the task, such as `Input #1`.'),
  type: z
    .enum(paramTypes)
    .default('INPUT')
    .describe(
      'INPUT: the task receives the value. OUTPUT: the task passes it to later tasks. Default INPUT.',
    ),
  valueType: z.enum(valueTypes).default('TEXT').describe('Type of the value. Default TEXT.'),
  choices: z
    .array(z.string().min(1).max(200))
    .max(200, 'A parameter can have at most 200 choices.')
    .optional()
    .describe('Values to choose from, for CHOICE; suggestions for other types. Default: none.'),
  condition: paramCondition
    .optional()
    .describe(
      'Condition under which the parameter is visible. A hidden parameter needs no value. Default: always visible.',
    ),
  value: paramValue.default('').describe('Value; empty means `defaultValue`.'),
  mode: paramMode,
  defaultValue: paramValue.default('').describe('Value that applies while `value` is empty.'),
  dynamic: z
    .boolean()
    .default(false)
    .describe('Whether another task provides the value: a reference `${uuid}`. Default false.'),
  optional: z.boolean().default(false).describe('Whether the value can stay empty. Default false.'),
  description: z.string().max(2000).default('').describe('Description for users. Default: empty.'),
})
/** Parameter of a task. */
export type TaskParam = z.output<typeof taskParam>

/** Fields of a task that a save sets. */
export const taskInput = z.object({
  name: named('a task').describe('Name, unique in its group; 1 to 200 characters.'),
  groupName: z
    .string('Choose a group.')
    .trim()
    .min(1, 'Choose a group.')
    .max(200)
    .describe('Group of the task.'),
  readableName: z
    .string()
    .trim()
    .max(200)
    .refine(isPlainLine, notPlainLine)
    .default('')
    .describe('Display name. Empty means `name`.'),
  definitionName: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('Name of the kind of task, for example `python-runner`.'),
  description: z.string().max(4000).default('').describe('Purpose of the task. Default: empty.'),
  timeout: z
    .int()
    .min(1, 'A task can run for 1 to 3600 seconds.')
    .max(3600, 'A task can run for 1 to 3600 seconds.')
    .optional()
    .describe('Timeout of a run in seconds, 1 to 3600. Default: the timeout of the kind.'),
  memory: z
    .int()
    .min(64, 'A task can have 64 to 4096 MiB of memory.')
    .max(4096, 'A task can have 64 to 4096 MiB of memory.')
    .optional()
    .describe('Memory limit in MiB, 64 to 4096. Default: the limit of the kind.'),
  markdownId: z
    .string()
    .max(64)
    .nullish()
    .describe('Id of the file with the documentation of the task; null if it has none.'),
  isPaused: z
    .boolean()
    .default(false)
    .describe('Whether runs pause before this task until a user continues them. Default false.'),
  params: z
    .array(taskParam)
    .max(100, 'A task can have at most 100 parameters.')
    .refine(
      (params) => new Set(params.map(({ name }) => name)).size === params.length,
      'Two parameters have the same name.',
    )
    .refine(
      (params) => sizeOf(params) <= maxValuesLength,
      `The values of a task can have at most ${maxValuesLength.toLocaleString('en')} characters in total.`,
    )
    .default([])
    .describe('Parameters. Omitted parameters of the kind have their default values.'),
  requirements: requirements
    .default([])
    .describe(
      'Python packages that the script imports in addition to the standard library; only for Python tasks. Saving locks their versions. Default: none.',
    ),
})
/** Fields of a task that a save sets. */
export type TaskInput = z.output<typeof taskInput>

/** Kind of task: its parameters and limits. */
export const taskDefinition = z.object({
  definitionId: z.string().describe('Id of the kind.'),
  definitionName: z.string().describe('Name of the kind.'),
  readableName: z.string().describe('Display name.'),
  category: z.string().describe('Category, for example `Python`.'),
  description: z.string().describe('Purpose of the kind.'),
  imageUrl: z.string().nullable().describe('URL of the picture; null if there is none.'),
  cpu: z.number().describe('Number of processors.'),
  memory: z.number().describe('Memory limit, in MiB.'),
  timeout: z.number().describe('Timeout of a run, in seconds.'),
  params: z.array(taskParam).describe('Parameters.'),
  openParams: z.boolean().describe('Whether tasks of this kind can have additional parameters.'),
})
/** Kind of task: its parameters and limits. */
export type TaskDefinition = z.infer<typeof taskDefinition>

/** A version of a task: a kind of task with parameters, saved in a group. All versions share the id. */
export const task = taskDefinition.omit({ openParams: true }).extend({
  id: z
    .string()
    .describe('Id of the task, shared by all versions. For built-in tasks, the name of the kind.'),
  name: z.string().describe('Name, unique in its group.'),
  groupName: z.string().describe('Group of the task; empty if it is built in.'),
  version: z.int().describe('Number of this version, from 1.'),
  latest: z.boolean().describe('Whether it is the newest version.'),
  markdownId: z
    .string()
    .nullable()
    .describe('Id of the file with the documentation of the task; null if it has none.'),
  isPaused: z.boolean().describe('Whether runs pause before this task until a user continues them.'),
  requirements: z.array(requirement).describe('Python packages that the script imports.'),
  lockedPackages: z.array(lockedPackage).describe('Package versions that runs use, including dependencies.'),
  warnings: z
    .array(z.string())
    .describe('Reasons why runs of this version will fail, such as an unavailable package.'),
  modifyDate: z
    .string()
    .nullable()
    .describe('Time when this version was saved, ISO 8601 in UTC without a zone; null for built-in tasks.'),
  modifiedBy: z
    .string()
    .nullable()
    .describe('Name of the user who saved this version; null for built-in tasks.'),
  writeAccess: z.boolean().describe('Whether the caller can save and delete the task.'),
})
/** A version of a task. */
export type Task = z.infer<typeof task>

/** Returns the total length of values and defaults, in characters. */
export function sizeOf(params: readonly { value: string; defaultValue?: string }[]): number {
  return params.reduce((sum, { value, defaultValue = '' }) => sum + value.length + defaultValue.length, 0)
}

/** Returns the value of an input, or its default if the value is empty. */
export function valueOf({ value, defaultValue }: Pick<TaskParam, 'value' | 'defaultValue'>): string {
  return value === '' ? defaultValue : value
}

/** Returns the parameters, with default values for empty inputs. */
export function withDefaults<Param extends Pick<TaskParam, 'type' | 'value' | 'defaultValue'>>(
  params: readonly Param[],
): Param[] {
  return params.map((param) => (param.type === 'INPUT' ? { ...param, value: valueOf(param) } : param))
}

/**
 * Returns whether a parameter pauses runs before its task. Such a parameter is a yes-or-no input named Pause, Paused or
 * isPaused, regardless of case.
 */
export function isPauseParam({
  name,
  type,
  valueType,
}: Pick<TaskParam, 'name' | 'type' | 'valueType'>): boolean {
  return type === 'INPUT' && valueType === 'BOOLEAN' && /^(is)?paused?$/i.test(name)
}

/** Returns whether the pause parameters of a task pause runs; undefined if it has no such parameter. */
export function pausedByParams(params: readonly TaskParam[]): boolean | undefined {
  const values = params.filter(isPauseParam).map(valueOf)
  return values.length === 0 ? undefined : values.some((value) => value.trim().toLowerCase() === 'true')
}
