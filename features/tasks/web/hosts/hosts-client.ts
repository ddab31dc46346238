import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import { getTaskHosts, listTaskHosts, updateTaskHosts } from '../../contract/index.ts'

/** Maximum number of tasks in the list. */
const maxListed = 1000

/** Returns the internal hosts and the tasks with allowed hosts, by group and name. */
export function useTaskHosts() {
  const input = { query: { size: maxListed } }
  return useQuery({
    queryKey: routeKey(listTaskHosts, input),
    queryFn: ({ signal }) => call(listTaskHosts, input, { signal }),
  })
}

/** Returns a function that replaces the hosts of a task and then reloads the list. */
export function useSaveTaskHosts(): (taskId: string, hosts: readonly string[]) => Promise<void> {
  const client = useQueryClient()
  return async (taskId, hosts) => {
    await call(updateTaskHosts, { params: { taskId }, body: { hosts: [...hosts] } })
    for (const route of [listTaskHosts, getTaskHosts])
      await client.invalidateQueries({ queryKey: routeKey(route) })
  }
}
