import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import {
  createTask,
  deleteTask,
  getTask,
  listTaskDefinitions,
  listTaskVersions,
  searchTasks,
  updateTask,
  type Task,
  type TaskInput,
} from '../contract/index.ts'

/** Most tasks that are asked for at once. */
const tasksSize = 1000
/** How long tasks and their kinds count as fresh where they are chosen, in milliseconds. */
const keptMs = 3_600_000

/** The query of a task. It is not read again by itself: what one edits does not change underfoot. */
export function taskQuery(taskId: string, version?: string) {
  const input = { params: { taskId }, query: { version } }
  return queryOptions({
    queryKey: routeKey(getTask, input),
    queryFn: ({ signal }) => call(getTask, input, { signal }),
    refetchOnReconnect: false,
  })
}

/** The kinds of tasks that this installation knows. */
export function useTaskDefinitions() {
  return useQuery({
    queryKey: routeKey(listTaskDefinitions),
    queryFn: async ({ signal }) => (await call(listTaskDefinitions, {}, { signal })).items,
    staleTime: keptMs,
  })
}

/**
 * Tasks to choose from. All of them are here and found in the browser, unless there are more than one answer takes: then
 * the server finds them too.
 */
export function useTaskChoices(text: string) {
  const all = useQuery(choicesQuery(''))
  const isCut = all.data !== undefined && all.data.totalSize > all.data.items.length
  const found = useQuery({ ...choicesQuery(text), enabled: isCut && text !== '' })
  return {
    tasks: [...(all.data?.items ?? []), ...(isCut && text !== '' ? (found.data?.items ?? []) : [])],
    isLoading: all.isPending || (isCut && found.isFetching),
    error: all.error,
  }
}

function choicesQuery(text: string) {
  const input = { query: { query: text.replaceAll(/[=&]/g, ' ').trim(), size: tasksSize } }
  return queryOptions({
    queryKey: [...routeKey(searchTasks, input), 'choices'],
    queryFn: ({ signal }) => call(searchTasks, input, { signal }),
    staleTime: keptMs,
  })
}

/** The calls that change tasks; each refreshes every list of them. */
export function useTaskCalls() {
  const client = useQueryClient()
  return {
    create: async (taskInput: TaskInput): Promise<Task> =>
      shared(client, await call(createTask, { body: taskInput }, { keep: true })),
    update: async (taskId: string, version: number, taskInput: TaskInput): Promise<Task> =>
      shared(
        client,
        await call(updateTask, { params: { taskId }, body: { version, taskInput } }, { keep: true }),
      ),
    /** The number of the newest version. */
    newestVersion: async (taskId: string): Promise<number> =>
      (await call(getTask, { params: { taskId }, query: {} })).version,
    async remove(taskId: string): Promise<void> {
      await call(deleteTask, { params: { taskId } }, { keep: true })
      client.removeQueries({ queryKey: routeKey(getTask) })
      await refresh(client)
    },
  }
}

/** Lets the page of what was saved begin with it. */
function shared(client: QueryClient, saved: Task): Task {
  client.setQueryData(taskQuery(saved.id).queryKey, saved)
  void refresh(client)
  return saved
}

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(
    [searchTasks, listTaskVersions].map((route) => client.invalidateQueries({ queryKey: routeKey(route) })),
  )
}
