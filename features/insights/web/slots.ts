import type { ReactNode } from 'react'
import { createSlot, type LazyPart } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tiles/contract'
import type { Insight } from '../contract/index.ts'

/** Buttons in the header of an insight that a user reads. */
export const insightActions = createSlot<
  LazyPart<{
    insight: Insight
    /** Reports whether the action has a dialog open, which takes the keyboard from the page. */
    onDialog: (isOpen: boolean) => void
  }>
>('insight actions')

/** Wrappers of the page of an insight: they provide contexts for its tiles, and dialogs. */
export const insightFrames = createSlot<
  LazyPart<{
    /** Undefined for an insight that was never saved. */
    insight: Insight | undefined
    /** Content of the page. */
    content: InsightContent
    /** Whether the user edits the insight. */
    editing: boolean
    /** Whether no dialog of the page is open. */
    isFree: boolean
    children: ReactNode
  }>
>('insight frames')

/** A view of an insight in place of its tiles, for users who can change the insight. */
export interface InsightView {
  /** Value of `view` in the address, in upper case. */
  name: string
  /** Component of the view, loaded on demand. */
  Screen: LazyPart<{ insight: Insight }>
}
/** Views of an insight, which replace its tiles. */
export const insightViews = createSlot<InsightView>('insight views')

/** Names of an insight in lists and dialogs. */
export interface NamedInsight {
  /** Id of the insight. */
  id: string
  /** Name of its group. */
  groupName: string
  /** Name without `.json`. */
  insightName: string
}

/** Paragraphs in the dialog that deletes an insight: what depends on it, as far as the user can read it. */
export const insightDependents = createSlot<LazyPart<{ insight: NamedInsight }>>('insight dependents')

/** Functions that run after each save of an insight; the save ends when they have. */
export const insightSavedHandlers =
  createSlot<(name: { groupName: string; insightName: string }) => Promise<void>>('insight saved')
