import { useEffect } from 'react'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** Reference to a task. */
export interface TaskRef {
  /** Name of the task. */
  name: string
  /** Group of the task; empty if it is built in. */
  groupName: string
}

/** Browser storage key of the recent tasks. */
export const recentTasksKey = 'ng-recent-tasks'

/** Number of recent tasks stored. */
const recentTasksCount = 5

/** Returns the tasks opened or used in this browser, most recent first. */
export function recentTasks(): TaskRef[] {
  return readStoredList(recentTasksKey).filter(isTaskRef)
}

/** Moves a task to the front of the recent tasks and drops the oldest ones. */
export function addRecentTask({ name, groupName }: TaskRef): void {
  const others = recentTasks().filter((other) => other.name !== name || other.groupName !== groupName)
  writeStoredList(recentTasksKey, [{ name, groupName }, ...others].slice(0, recentTasksCount))
}

/** Adds the task of a page to the recent tasks. Pass undefined while the task loads. */
export function useRecordRecentTask(task: TaskRef | undefined): void {
  const name = task?.name
  const groupName = task?.groupName
  useEffect(() => {
    if (name !== undefined && groupName !== undefined) addRecentTask({ name, groupName })
  }, [name, groupName])
}

function isTaskRef(entry: unknown): entry is TaskRef {
  if (typeof entry !== 'object' || entry === null) return false
  const { name, groupName } = entry as Record<string, unknown>
  return typeof name === 'string' && name !== '' && typeof groupName === 'string'
}
