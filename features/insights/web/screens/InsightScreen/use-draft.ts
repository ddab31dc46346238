import { useEffect, useReducer, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useDraftStorage, useStoredDraft } from '@headwater/accounts/web'
import { createStore, dismissToast, toast } from '@headwater/web-kit'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import type { Insight } from '../../../contract/index.ts'
import { newDraft, reduceDraft, type DraftAction } from '../../builder/draft.ts'

/** The draft that the browser stores when the session or the page ends. */
interface StoredDraft {
  /** File id of the version that the draft is based on; undefined for a new insight. */
  fid: string | undefined
  content: InsightContent
}

/** Manages the draft of an insight and the stored version that it is based on. */
export function useDraft(
  saved: Insight | undefined,
  editing: boolean,
  /** The content of a new insight; it counts as an unsaved change. */
  start?: InsightContent,
) {
  const { pathname } = useLocation()
  const [search] = useSearchParams()
  const groupName = search.get('groupName')
  // A new insight belongs to the group in its URL.
  const location =
    saved === undefined && groupName !== null
      ? `${pathname}?groupName=${encodeURIComponent(groupName)}`
      : pathname
  const draftRoute = { key: 'ng-insight-draft', location }
  const lostDraft = useStoredDraft<StoredDraft>(draftRoute, saved === undefined || saved.writeAccess)
  const [restored, setRestored] = useState(lostDraft && { time: lostDraft.time })
  // A draft of an older version conflicts with the newer one when it is saved.
  const [stored, setStored] = useState(() =>
    saved === undefined || lostDraft?.content.fid === undefined
      ? saved
      : { ...saved, fid: lostDraft.content.fid },
  )
  const initial = saved?.content ?? start ?? emptyContent()
  const [draft, dispatch] = useReducer(reduceDraft, lostDraft?.content.content ?? initial, newDraft)
  const [baseline, setBaseline] = useState(() => (start === undefined ? initial : emptyContent()))
  const [latest] = useState(() => createStore(draft.content))
  useEffect(() => latest.set(draft.content))
  const [undoToast] = useState(() => createStore<number | undefined>(undefined))

  function act(action: DraftAction) {
    const openToast = undoToast.get()
    if (openToast !== undefined) dismissToast(openToast)
    undoToast.set(undefined)
    dispatch(action)
  }

  /** Resets the draft to a stored version. */
  function reset(insight: Insight) {
    setRestored(undefined)
    setStored(insight)
    setBaseline(insight.content)
    dispatch({ type: 'reset', content: insight.content })
  }

  // The page switches to a newer version that was loaded in the meantime, unless the user is editing.
  const [seen, setSeen] = useState(saved)
  if (saved !== seen && saved !== undefined && !editing) {
    setSeen(saved)
    if (saved.fid !== stored?.fid) reset(saved)
  }

  const isChanged = draft.content !== baseline
  const dirty = editing && isChanged
  // Going back from the builder discards the changes.
  if (!editing && isChanged && restored === undefined) dispatch({ type: 'reset', content: baseline })
  useDraftStorage<StoredDraft>(
    draftRoute,
    dirty ? () => ({ fid: stored?.fid, content: draft.content }) : undefined,
  )

  return {
    draft,
    /** Time of a draft from an ended session or page that has been neither saved nor discarded since. */
    restored,
    /** The version that the draft is based on; undefined for a new insight. */
    stored,
    /** Whether the draft has unsaved changes. */
    dirty,
    /** Applies an action to the draft. */
    act,
    reset,
    /** Returns the current definition, even in closures created before the last change. */
    latestContent: () => latest.get(),
    /** Handles a successful save of `sent`. Returns false if changes made during the save remain unsaved. */
    handleSaved: (insight: Insight, sent: InsightContent): boolean => {
      if (latest.get() === sent) {
        reset(insight)
        return true
      }
      setStored(insight)
      setBaseline(sent)
      return false
    },
    /** Marks the draft as saved. */
    settle: () => {
      setRestored(undefined)
      setBaseline(latest.get())
    },
    /** Discards the unsaved changes. */
    discard: () => {
      if (restored !== undefined) setStored(saved)
      setRestored(undefined)
      dispatch({ type: 'reset', content: baseline })
    },
    /** Deletes a tile, with a toast to undo it. */
    remove: (id: string, title: string) => {
      act({ type: 'remove', id })
      const action = { label: 'Undo', onClick: () => act({ type: 'undo' }) }
      undoToast.set(toast({ kind: 'info', title: `Tile ${title} has been deleted.`, action }))
    },
  }
}

/** The draft of an insight and its actions. */
export type DraftState = ReturnType<typeof useDraft>
