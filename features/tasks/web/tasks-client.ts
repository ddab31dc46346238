import { useCallback, useMemo } from 'react'
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
  type ValueType,
} from '../contract/index.ts'

/** Maximum number of tasks in one request. */
const maxTasks = 1000
/** Cache lifetime of tasks and kinds in pickers, in milliseconds. */
const freshMs = 3_600_000

/** Query for a version of a task. It is not refetched automatically, so that a task does not change while the user edits it. */
export function taskQuery(taskId: string, version?: string) {
  const input = { params: { taskId }, query: { version } }
  return queryOptions({
    queryKey: routeKey(getTask, input),
    queryFn: ({ signal }) => call(getTask, input, { signal }),
    refetchOnReconnect: false,
  })
}

/** Query for the kinds of tasks of this installation, with their categories. */
export const taskDefinitionsQuery = queryOptions({
  queryKey: routeKey(listTaskDefinitions),
  queryFn: async ({ signal }) => (await call(listTaskDefinitions, {}, { signal })).items,
  staleTime: freshMs,
  // The cache outlives the page, because other pages use the same data.
  gcTime: freshMs,
})

/** Returns the kinds of tasks of this installation. */
export function useTaskDefinitions() {
  return useQuery(taskDefinitionsQuery)
}

/**
 * Returns a function that maps the name of a built-in task to its display name. For other tasks, and until the names are
 * loaded, it returns the given name.
 */
export function useBuiltInNames(): (taskName: string) => string {
  const { data } = useTaskDefinitions()
  const names = useMemo(
    () => new Map(data?.map(({ definitionName, readableName }) => [definitionName, readableName])),
    [data],
  )
  return (taskName) => names.get(taskName) ?? taskName
}

/**
 * Returns a function that looks up the type of an input of a built-in task; undefined for other tasks and until the types are
 * loaded.
 */
export function useBuiltInTypes(): (taskName: string, paramName: string) => ValueType | undefined {
  const { data } = useTaskDefinitions()
  return useCallback(
    (taskName, paramName) =>
      data
        ?.find(({ definitionName }) => definitionName === taskName)
        ?.params.find(({ name, type }) => name === paramName && type === 'INPUT')?.valueType,
    [data],
  )
}

/**
 * Returns the tasks for a picker. The browser filters them; if one response cannot contain them all, the server also searches.
 */
export function useTaskChoices(text: string) {
  const all = useQuery(choicesQuery(''))
  const isCut = all.data !== undefined && all.data.totalSize > all.data.items.length
  const matches = useQuery({ ...choicesQuery(text), enabled: isCut && text !== '' })
  const searched = isCut && text !== '' ? matches.data : undefined
  const [first, more] = [all.data?.items, searched?.items]
  const tasks = useMemo(() => [...(first ?? []), ...(more ?? [])], [first, more])
  return {
    tasks,
    /** Number of all matches on the server. */
    total: (searched ?? all.data)?.totalSize,
    isLoading: all.isPending || (isCut && matches.isFetching),
    error: all.error,
  }
}

/** Query for the tasks that match a search text, for pickers. */
export function choicesQuery(text: string) {
  const input = { query: { query: text.replaceAll(/[=&]/g, ' ').trim(), size: maxTasks } }
  return queryOptions({
    queryKey: [...routeKey(searchTasks, input), 'choices'],
    queryFn: ({ signal }) => call(searchTasks, input, { signal }),
    staleTime: freshMs,
    gcTime: freshMs,
  })
}

/** Returns the calls that change tasks. Each call refreshes the lists of tasks. */
export function useTaskCalls() {
  const client = useQueryClient()
  return {
    create: async (taskInput: TaskInput): Promise<Task> =>
      cacheSaved(client, await call(createTask, { body: taskInput }, { keep: true })),
    update: async (taskId: string, version: number, taskInput: TaskInput): Promise<Task> =>
      cacheSaved(
        client,
        await call(updateTask, { params: { taskId }, body: { version, taskInput } }, { keep: true }),
      ),
    /** Returns the newest version. */
    newest: (taskId: string): Promise<Task> => call(getTask, { params: { taskId }, query: {} }),
    async remove(taskId: string): Promise<void> {
      await call(deleteTask, { params: { taskId } }, { keep: true })
      client.removeQueries({ queryKey: routeKey(getTask) })
      await refresh(client)
    },
  }
}

/** Adds the saved task to the cache for its page. */
function cacheSaved(client: QueryClient, saved: Task): Task {
  client.setQueryData(taskQuery(saved.id).queryKey, saved)
  void refresh(client)
  return saved
}

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(
    [searchTasks, listTaskVersions].map((route) => client.invalidateQueries({ queryKey: routeKey(route) })),
  )
}
