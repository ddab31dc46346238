import { createStore, useStore } from '../call/store.ts'

/** What a tool is opened with. */
export interface OpenedTool {
  /** Id of the tool, as its room names it. */
  tool: string
  /** Id of what it is opened for, for example of a file. */
  id: string
  /** Heading of the tool: the name of what it is opened for. */
  title: string
  /** Whether what it is opened for may be changed; default false. */
  editable?: boolean
}

const opened = createStore<OpenedTool | undefined>(undefined)

/** Opens a tool over the page; the one that was open goes, and nothing of it stays. */
export function openTool(tool: OpenedTool): void {
  opened.set(tool)
}

/** Closes the open tool without asking, and forgets what it was opened with. */
export function closeTool(): void {
  opened.set(undefined)
}

/** What is open at the moment; undefined when no tool is. */
export function openedTool(): OpenedTool | undefined {
  return opened.get()
}

/** The same, watched. */
export function useOpenedTool(): OpenedTool | undefined {
  return useStore(opened)
}
