import { createSlot, type LazyPart } from '@headwater/web-kit'

/** Names of a task in dialogs. */
export interface NamedTask {
  /** Id of the task. */
  id: string
  /** Name, unique in its group. */
  name: string
  /** Name of its group. */
  groupName: string
}

/** Paragraphs in the dialog that deletes a task: what depends on it, as far as the user can read it. */
export const taskDependents = createSlot<LazyPart<{ task: NamedTask }>>('task dependents')
