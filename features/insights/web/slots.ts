import type { ReactNode } from 'react'
import { createSlot, type LazyPart } from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import type { Insight } from '../contract/index.ts'

/** Buttons in the header of an insight in the reader view. */
export const insightActions = createSlot<
  LazyPart<{
    insight: Insight
    /** Reports whether the action has an open dialog, which disables the shortcuts of the page. */
    onDialog: (isOpen: boolean) => void
  }>
>('insight actions')

/** Wrappers of the page of an insight: they provide contexts for its tiles, and dialogs. */
export const insightFrames = createSlot<
  LazyPart<{
    /** The stored insight; undefined for an insight that was never saved. */
    insight: Insight | undefined
    /** Content of the page. */
    content: InsightContent
    /** Whether the user edits the insight. */
    editing: boolean
    /** Whether the page has no open dialog. */
    isFree: boolean
    children: ReactNode
  }>
>('insight frames')

/** A view that replaces the tiles of an insight, for users who can change it. */
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

/** Paragraphs in the deletion dialog of an insight that list dependent objects that the user can read. */
export const insightDependents = createSlot<LazyPart<{ insight: NamedInsight }>>('insight dependents')

/** Functions that run after each save of an insight. The save waits for them. */
export const insightSavedHandlers =
  createSlot<(name: { groupName: string; insightName: string }) => Promise<void>>('insight saved')
