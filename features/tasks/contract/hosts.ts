import { z } from 'zod'
import { defineRoute, hostPattern, pageOf, pageQuery } from '@headwater/contract'

const id = z.object({ taskId: z.string().max(200).describe('Id of the task.') })

/** Hosts that the scripts of a task can reach. */
export const taskHosts = z.object({
  hosts: z
    .array(z.string())
    .describe(
      'Allowed hosts, sorted, such as `api.example.com` or `*.example.com:8443`. An entry without a port allows 80 and 443. An empty list blocks the network.',
    ),
  modifyDate: z
    .string()
    .nullable()
    .describe('Time of the last change, ISO 8601 in UTC without a zone; null if there was none.'),
  modifiedBy: z
    .string()
    .nullable()
    .describe('Name of the administrator who made the last change; null if there was none.'),
})
/** Hosts that the scripts of a task can reach. */
export type TaskHosts = z.infer<typeof taskHosts>

/** Returns the allowed hosts of a task. */
export const getTaskHosts = defineRoute({
  name: 'getTaskHosts',
  method: 'GET',
  path: '/mgmt/task/:taskId/hosts',
  summary: 'Hosts that the scripts of a task can reach.',
  permission: { resource: 'Science', mode: 'R' },
  params: id,
  output: taskHosts,
  errors: ['taskNotFound'],
})

/** Replaces the allowed hosts of a task. */
export const updateTaskHosts = defineRoute({
  name: 'updateTaskHosts',
  method: 'PUT',
  path: '/mgmt/task/:taskId/hosts',
  summary:
    'Replaces the hosts that the scripts of a task can reach, in all versions of the task and in runs in progress. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  params: id,
  body: z.object({
    hosts: z
      .array(hostPattern)
      .max(50, 'A task can have at most 50 allowed hosts.')
      .describe(
        'Allowed hosts: names or addresses with or without a port; `*.` includes all subdomains. An empty list blocks the network.',
      ),
  }),
  output: taskHosts,
  errors: ['taskNotFound'],
})

/** A task with allowed hosts. */
export const taskWithHosts = taskHosts.extend({
  taskId: z.string().describe('Id of the task.'),
  taskName: z.string().describe('Name of the task.'),
  groupName: z.string().describe('Group of the task.'),
})
/** A task with allowed hosts. */
export type TaskWithHosts = z.infer<typeof taskWithHosts>

/** Returns the hosts that tasks of this installation can reach. */
export const listTaskHosts = defineRoute({
  name: 'listTaskHosts',
  method: 'GET',
  path: '/mgmt/host',
  summary:
    'The internal hosts that tasks can connect to, and the tasks with allowed hosts, by group and name. For administrators.',
  permission: { resource: 'Administrator', mode: 'R' },
  query: z.object(pageQuery()),
  output: pageOf(taskWithHosts).extend({
    internalHosts: z
      .array(z.string())
      .describe(
        'Internal hosts in the setting HEADWATER_INTERNAL_HOSTS of this server. All other hosts must have public addresses.',
      ),
  }),
})
