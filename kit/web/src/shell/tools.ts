import { createStore, useStore } from '../call/store.ts'

/** Arguments of an open tool. */
export interface OpenedTool {
  /** Id of the tool. */
  tool: string
  /** Id of its object, for example of a file. */
  id: string
  /** Heading of the tool: the name of its object. */
  title: string
  /** Whether the user can change the object; default false. */
  editable?: boolean
  /** Whether the tool is read-only although the user has write access to the object; default false. */
  disabled?: boolean
  /** Name of the group of a new object, for a tool that creates one. */
  groupName?: string
}

const opened = createStore<OpenedTool | undefined>(undefined)

/** Opens a tool over the page. A tool that is already open closes and loses its state. */
export function openTool(tool: OpenedTool): void {
  opened.set(tool)
}

/** Closes the open tool without confirmation and clears its arguments. */
export function closeTool(): void {
  opened.set(undefined)
}

/** Returns the open tool; undefined if none is open. */
export function openedTool(): OpenedTool | undefined {
  return opened.get()
}

/** Returns the open tool, and renders again when it changes. */
export function useOpenedTool(): OpenedTool | undefined {
  return useStore(opened)
}
