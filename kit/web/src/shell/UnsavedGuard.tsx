import { useEffect, useRef } from 'react'
import { type Location, useBlocker } from 'react-router'
import { createStore, useStore } from '../call/store.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'

interface Guard {
  view: string | undefined
}

const guards = createStore<readonly Guard[]>([])

/**
 * Marks the page as having unsaved changes while `when` is true; leaving it is asked about. Several may stand on a page.
 * @param given `view` names the part of the query that tells apart the views of a page of which only this one has the
 *   changes; then another view is asked about too
 */
export function UnsavedGuard({ when, view }: { when: boolean; view?: string }) {
  useEffect(() => {
    if (!when) return
    const guard = { view }
    guards.set([...guards.get(), guard])
    return () => guards.set(guards.get().filter((other) => other !== guard))
  }, [when, view])
  return null
}

function leaves({ view }: Guard, from: Location, to: Location): boolean {
  if (from.pathname !== to.pathname) return true
  const viewOf = ({ search }: Location) => (view === undefined ? null : new URLSearchParams(search).get(view))
  return viewOf(from) !== viewOf(to)
}

/** Asks before a page with unsaved changes is left: within the product by a dialog, otherwise by the browser's own. Drawn once by the shell. */
export function UnsavedQuestion() {
  // While anything blocks, the router warns of every address that is typed by hand.
  return useStore(guards).length > 0 ? <LeaveQuestion /> : null
}

function LeaveQuestion() {
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    guards.get().some((guard) => leaves(guard, currentLocation, nextLocation)),
  )
  const isLeaving = useRef(false)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title="Unsaved changes"
      confirmLabel="Leave"
      cancelLabel="Stay"
      danger
      onConfirm={() => {
        isLeaving.current = true
      }}
      onClose={() => {
        // One answer only: going back takes a moment, and a reset meanwhile would end it.
        if (blocker.state === 'blocked') blocker[isLeaving.current ? 'proceed' : 'reset']()
        isLeaving.current = false
      }}
    >
      This page has unsaved changes. Do you want to leave and discard them?
    </ConfirmDialog>
  )
}
