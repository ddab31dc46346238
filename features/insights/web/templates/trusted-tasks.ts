import { createTrustedEntries } from '@headwater/web-kit'

/** A version of a task, and the template that runs it. */
export interface TemplateTask {
  /** Group, name and modification time of the template. A modified template needs a new confirmation. */
  template: { groupName: string; name: string; modified: string }
  /** Id of the task. */
  taskId: string
  /** Name of the task, for messages. */
  taskName: string
  /** Number of the version of the task. */
  version: number
}

/** Tasks of other users that the user allowed to run when a template opens. */
const trusted = createTrustedEntries('ng-trusted-tasks', 100)

/** Returns whether the user has confirmed this version of a task before. */
export function isTrusted(task: TemplateTask): boolean {
  return trusted.has(entryOf(task))
}

/** Stores that the user trusts this version of a task; other versions need a new confirmation. */
export function trust(task: TemplateTask): void {
  trusted.add(entryOf(task))
}

function entryOf({ template, taskId, version }: TemplateTask): string {
  const { groupName, name, modified } = template
  return JSON.stringify([groupName, name, modified, taskId, version])
}
