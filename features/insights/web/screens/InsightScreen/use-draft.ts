import { useEffect, useReducer, useState } from 'react'
import { useLocation } from 'react-router'
import { useDraftStorage, useStoredDraft } from '@headwater/accounts/web'
import { createStore, dismissToast, toast } from '@headwater/web-kit'
import { emptyContent, type InsightContent } from '@headwater/tiles/contract'
import type { Insight } from '../../../contract/index.ts'
import { newDraft, reduceDraft, type DraftAction } from '../../builder/draft.ts'

/** What is kept when the session ends. */
interface KeptContent {
  /** The stored version it began with; undefined for a new insight. */
  fid: string | undefined
  content: InsightContent
}

/** The draft of an insight, next to what is stored of it. */
export function useDraft(
  saved: Insight | undefined,
  editing: boolean,
  /** What a new insight begins with; it counts as a change that has not been saved. */
  start?: InsightContent,
) {
  const draftRoute = { key: 'ng-insight-draft', location: useLocation().pathname }
  const kept = useStoredDraft<KeptContent>(draftRoute, saved === undefined || saved.writeAccess)
  const [restored, setRestored] = useState(kept !== undefined)
  // changes to an older version meet the newer one when they are saved
  const [shown, setShown] = useState(() =>
    saved === undefined || kept?.fid === undefined ? saved : { ...saved, fid: kept.fid },
  )
  const begun = saved?.content ?? start ?? emptyContent()
  const [draft, dispatch] = useReducer(reduceDraft, kept?.content ?? begun, newDraft)
  const [baseline, setBaseline] = useState(() => (start === undefined ? begun : emptyContent()))
  const [latest] = useState(() => createStore(draft.content))
  useEffect(() => latest.set(draft.content))
  const [undoToast] = useState(() => createStore<number | undefined>(undefined))

  function act(action: DraftAction) {
    const shownToast = undoToast.get()
    if (shownToast !== undefined) dismissToast(shownToast)
    undoToast.set(undefined)
    dispatch(action)
  }

  /** Takes over what is stored now as the state without changes. */
  function take(insight: Insight) {
    setRestored(false)
    setShown(insight)
    setBaseline(insight.content)
    dispatch({ type: 'reset', content: insight.content })
  }

  // A newer version that was read meanwhile is shown, unless one is at work on the present one.
  const [seen, setSeen] = useState(saved)
  if (saved !== seen && saved !== undefined && !editing) {
    setSeen(saved)
    if (saved.fid !== shown?.fid) take(saved)
  }

  const dirty = editing && draft.content !== baseline
  useDraftStorage<KeptContent>(
    draftRoute,
    dirty ? () => ({ fid: shown?.fid, content: draft.content }) : undefined,
  )

  return {
    draft,
    /** Whether the draft was kept when the session ended, and is neither saved nor discarded since. */
    restored,
    /** The stored insight the draft began with; undefined for a new one. */
    shown,
    dirty,
    act,
    take,
    /** The present definition, also for what began before the last change. */
    latestContent: () => latest.get(),
    /** After a save of `sent`: what was changed while it was on its way stays a change. */
    taken: (insight: Insight, sent: InsightContent): boolean => {
      if (latest.get() === sent) {
        take(insight)
        return true
      }
      setShown(insight)
      setBaseline(sent)
      return false
    },
    /** The draft counts as saved as it is. */
    settle: () => {
      setRestored(false)
      setBaseline(latest.get())
    },
    discard: () => {
      if (restored) setShown(saved)
      setRestored(false)
      dispatch({ type: 'reset', content: baseline })
    },
    /** Deletes a tile and offers to take that back. */
    remove: (id: string, title: string) => {
      act({ type: 'remove', id })
      const action = { label: 'Undo', onClick: () => act({ type: 'undo' }) }
      undoToast.set(toast({ kind: 'info', title: `Tile ${title} has been deleted.`, action }))
    },
  }
}

export type DraftState = ReturnType<typeof useDraft>
