import { useEffect, useRef } from 'react'
import { type Location, useBlocker } from 'react-router'
import { createStore, useStore } from '../call/store.ts'
import { ConfirmDialog } from '../ui/Dialog.tsx'

interface Guard {
  view: string | undefined
}

const guards = createStore<readonly Guard[]>([])

/**
 * Marks the page as having unsaved changes while `when` is true, so that leaving it requires confirmation. A page can
 * have several guards.
 * @param given `view` is the query parameter that selects the view of the page, if only one view has the
 *   changes; opening another view then also requires confirmation
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

/**
 * Asks for confirmation before the user leaves a page with unsaved changes: with a dialog of the product if possible,
 * otherwise with the dialog of the browser. The shell renders it once.
 */
export function UnsavedDialog() {
  // While a guard is active, the browser warns about every manually entered address.
  return useStore(guards).length > 0 ? <LeaveDialog /> : null
}

function LeaveDialog() {
  const blocker = useBlocker(({ currentLocation, nextLocation }) =>
    guards.get().some((guard) => leaves(guard, currentLocation, nextLocation)),
  )
  const isLeaving = useRef(false)
  useEffect(() => {
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', preventUnload)
    return () => window.removeEventListener('beforeunload', preventUnload)
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
        // Only the first choice counts. Going back takes some time, and a reset in the meantime would cancel it.
        if (blocker.state === 'blocked') blocker[isLeaving.current ? 'proceed' : 'reset']()
        isLeaving.current = false
      }}
    >
      This page has unsaved changes. Do you want to leave and discard them?
    </ConfirmDialog>
  )
}
