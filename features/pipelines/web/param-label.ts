import { builtInParamLabel } from '@headwater/tasks/core'

/** Returns the label of a parameter of a task in a pipeline: its name, or for a built-in task the label of the name. */
export function paramLabel({ taskGroup }: { taskGroup: string }, name: string): string {
  return taskGroup === '' ? builtInParamLabel(name) : name
}
