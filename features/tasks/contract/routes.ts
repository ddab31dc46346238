import { z } from 'zod'
import { defineRoute, largeBodyBytes, pageOf, pageQuery } from '@headwater/contract'
import { task, taskDefinition, taskInput } from './task.ts'

const read = { resource: 'Science', mode: 'R' } as const
const write = { resource: 'Science/Task', mode: 'RW' } as const

const id = z.object({ taskId: z.string().max(200).describe('Id of the task, or name of a built-in one.') })

/** Version in the query of a request: a number from 1, `latest` or nothing. Parsed as undefined for the newest version. */
export const versionQuery = z
  .union([z.number(), z.string().max(20)])
  .optional()
  .transform((given, context) => {
    if (given === undefined || /^(latest|null|none)?$/i.test(String(given).trim())) return undefined
    const number = Number(given)
    if (Number.isInteger(number) && number >= 1 && number <= 2 ** 31 - 1) return number
    context.addIssue({ code: 'custom', message: `“${given}” is neither a version, such as 3, nor latest.` })
    return z.NEVER
  })
  .describe('Number of the version, or `latest`. Default latest.')

/** Searches the tasks that the caller can read. */
export const searchTasks = defineRoute({
  name: 'searchTasks',
  method: 'GET',
  path: '/mgmt/task',
  summary: 'Built-in tasks and the tasks of groups that the caller can read, by name, without scripts.',
  permission: read,
  allowsRunTokens: true,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(1000)
      .default('')
      .describe(
        'Part of the name, regardless of case, or pairs joined by & (readableName, name, category, groupName). `*` is a wildcard; a pair without a wildcard must match exactly.',
      ),
  }),
  output: pageOf(task),
})

/** Lists the kinds of tasks. */
export const listTaskDefinitions = defineRoute({
  name: 'listTaskDefinitions',
  method: 'GET',
  path: '/mgmt/task/definitions',
  summary: 'The kinds of tasks of this installation, with their parameters.',
  permission: read,
  output: z.object({ items: z.array(taskDefinition).describe('Kinds of tasks, by display name.') }),
})

/** Lists the categories of tasks. */
export const listTaskCategories = defineRoute({
  name: 'listTaskCategories',
  method: 'GET',
  path: '/mgmt/task/categories',
  summary: 'The categories of tasks, by name.',
  permission: read,
  output: z.object({ items: z.array(z.string()).describe('Categories, sorted.') }),
})

/** Returns a version of a task. */
export const getTask = defineRoute({
  name: 'getTask',
  method: 'GET',
  path: '/mgmt/task/:taskId',
  summary: 'One version of a task.',
  permission: read,
  params: id,
  query: z.object({ version: versionQuery }),
  output: task,
  errors: ['taskNotFound'],
})

/** Lists the versions of a task. */
export const listTaskVersions = defineRoute({
  name: 'listTaskVersions',
  method: 'GET',
  path: '/mgmt/task/:taskId/versions',
  summary: 'All versions of a task, newest first, without scripts.',
  permission: read,
  params: id,
  query: z.object(pageQuery()),
  output: pageOf(task),
  errors: ['taskNotFound'],
})

const saveErrors = [
  'taskExists',
  'taskGroupNotFound',
  'taskGroupForbidden',
  'taskDefinitionUnknown',
  'paramUnknown',
  'paramInvalid',
] as const

/** Saves a new task. */
export const createTask = defineRoute({
  name: 'createTask',
  method: 'POST',
  path: '/mgmt/task',
  summary: 'Saves a new task.',
  permission: write,
  body: taskInput,
  bodyBytes: largeBodyBytes,
  output: task,
  successStatus: 201,
  errors: saveErrors,
})

/** Saves a new version of a task. */
export const updateTask = defineRoute({
  name: 'updateTask',
  method: 'PUT',
  path: '/mgmt/task/:taskId',
  summary:
    'Saves a new version of a task, and renames or moves it if the name or group differs. Rejects the save if a version newer than the edited one exists.',
  permission: write,
  params: id,
  body: z.object({
    version: z.int().min(1).describe('Number of the version that was edited.'),
    taskInput: taskInput.describe('New content of the task.'),
  }),
  bodyBytes: largeBodyBytes,
  output: task,
  errors: ['taskNotFound', 'taskChanged', ...saveErrors],
})

/** Deletes a task. */
export const deleteTask = defineRoute({
  name: 'deleteTask',
  method: 'DELETE',
  path: '/mgmt/task/:taskId',
  summary: 'Deletes a task with all of its versions. Runs in progress continue.',
  permission: write,
  params: id,
  output: z.object({}),
  errors: ['taskNotFound', 'taskGroupForbidden'],
})
