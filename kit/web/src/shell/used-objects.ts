import { createSlot } from './slots.ts'
import type { LazyPart } from './lazy-part.ts'
import { openTool } from './tools.ts'

/** An object that other objects can use, identified by names or ids. */
export interface UsedObject {
  /** Type of the object. */
  type: 'FILE' | 'GROUP' | 'SYMBOL' | 'TASK' | 'DATA_PREP'
  /** Name of the object. */
  name?: string
  /** Name of its group; absent for a group. */
  groupName?: string
  /** Type of a file. */
  fileType?: string
  /** Ids of file versions, used instead of names. */
  fids?: readonly string[]
  /** Whether values of series are deleted with the file; default false. */
  withSeries?: boolean
  /** Keys and values of a symbol. */
  symbols?: Readonly<Record<string, string>>
}

/** Slot for paragraphs in deletion dialogs. They list the objects that use the deleted object and would stop working. */
export const objectDependents = createSlot<LazyPart<{ object: UsedObject }>>('object dependents')

/**
 * Opens the tool that lists what uses an object.
 * @param name name in the title
 */
export function openUsage(object: UsedObject, name: string): void {
  openTool({ tool: 'usage', id: JSON.stringify(object), title: `Usage of ${name}` })
}
