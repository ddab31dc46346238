import { useEffect } from 'react'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** How a task is named; the group of a built-in one is empty. */
export interface TaskRef {
  name: string
  groupName: string
}

/** Where the browser keeps which tasks were opened or used, the newest first. */
export const recentTasksKey = 'ng-recent-tasks'

/** How many are kept. */
export const recentTasksCount = 5

/** The tasks that were opened or used in this browser, the newest first. */
export function recentTasks(): TaskRef[] {
  return readStoredList(recentTasksKey).filter(isTaskRef)
}

/** Keeps that a task was opened or used; the oldest ones are forgotten. */
export function keepRecentTask({ name, groupName }: TaskRef): void {
  const others = recentTasks().filter((other) => other.name !== name || other.groupName !== groupName)
  writeStoredList(recentTasksKey, [{ name, groupName }, ...others].slice(0, recentTasksCount))
}

/** Keeps the task that a page shows as opened, once it is there; undefined until then. */
export function useRecentTask(shown: TaskRef | undefined): void {
  const name = shown?.name
  const groupName = shown?.groupName
  useEffect(() => {
    if (name !== undefined && groupName !== undefined) keepRecentTask({ name, groupName })
  }, [name, groupName])
}

function isTaskRef(entry: unknown): entry is TaskRef {
  if (typeof entry !== 'object' || entry === null) return false
  const { name, groupName } = entry as Record<string, unknown>
  return typeof name === 'string' && name !== '' && typeof groupName === 'string'
}
