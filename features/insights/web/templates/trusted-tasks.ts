import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** A version of a task, and the template that has it run. */
export interface TemplateTask {
  template: { groupName: string; name: string; modified: string }
  taskId: string
  taskName: string
  version: number
}

/** Where the browser keeps which tasks of others the user has let run when a template is opened. */
const key = 'ng-trusted-tasks'
/** Maximum number of stored tasks; the oldest are removed first. */
const maxEntries = 100

/** Whether the user has let this version of a task run before. */
export function isTrusted(task: TemplateTask): boolean {
  return readStoredList(key).includes(entryOf(task))
}

/** Stores that the user trusts this version of a task; other versions need a new confirmation. */
export function trust(task: TemplateTask): void {
  const entry = entryOf(task)
  const others = readStoredList(key).filter((other) => other !== entry)
  writeStoredList(key, [entry, ...others].slice(0, maxEntries))
}

function entryOf({ template, taskId, version }: TemplateTask): string {
  const { groupName, name, modified } = template
  return JSON.stringify([groupName, name, modified, taskId, version])
}
