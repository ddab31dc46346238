import { abortedByClose, type Router } from '@headwater/server-kit'
import {
  createTask,
  deleteTask,
  getTask,
  getTaskHosts,
  listTaskCategories,
  listTaskDefinitions,
  listTaskHosts,
  listTaskVersions,
  processTaskExpression,
  searchTasks,
  testTask,
  updateTask,
  updateTaskHosts,
} from '../contract/index.ts'
import { testTaskScript, type TestTaskDependencies } from './test-runs/test-task.ts'
import type { TaskHostsService } from './task-hosts.ts'
import type { TasksService } from './tasks-service.ts'

/** Connects the routes of tasks to their services. */
export function registerTasksRoutes(
  router: Router,
  tasks: TasksService,
  hosts: TaskHostsService,
  tests: TestTaskDependencies,
): void {
  router.add(searchTasks, ({ query }, { principal }) => tasks.search(principal, query))
  router.add(listTaskDefinitions, async () => ({ items: tasks.listDefinitions() }))
  router.add(listTaskCategories, async () => ({ items: tasks.listCategories() }))
  router.add(getTask, ({ params, query }, { principal }) =>
    tasks.get(principal, params.taskId, query.version),
  )
  router.add(listTaskVersions, ({ params, query }, { principal }) =>
    tasks.listVersions(principal, params.taskId, query),
  )
  router.add(processTaskExpression, async ({ body }) => tasks.checkExpression(body))
  router.add(createTask, ({ body }, { principal }) => tasks.create(principal, body))
  router.add(updateTask, ({ params, body }, { principal }) => tasks.update(principal, params.taskId, body))
  router.add(deleteTask, async ({ params }, { principal }) => {
    await tasks.remove(principal, params.taskId)
    return {}
  })
  router.add(testTask, async ({ body }, { principal, reply }) => {
    const { signal } = abortedByClose(reply.raw)
    try {
      const output = await testTaskScript(tests, principal, body, signal)
      return reply.type('application/x-ndjson; charset=utf-8').send(output)
    } catch (error) {
      // The caller has disconnected, so there is no response to send.
      if (signal.aborted) reply.hijack()
      throw error
    }
  })
  router.add(listTaskHosts, ({ query }) => hosts.list(query))
  router.add(getTaskHosts, ({ params }, { principal }) => hosts.get(principal, params.taskId))
  router.add(updateTaskHosts, ({ params, body }, { principal }) =>
    hosts.set(principal, params.taskId, body.hosts),
  )
}
