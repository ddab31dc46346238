import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { usePageAddress } from './use-page-address.ts'

/** A panel of an insight; at most one is open. */
export type PanelName = 'params' | 'basket'
/** Value in the URL after the user closed a panel that opens automatically. */
const closedName = 'none'

/**
 * Manages the open panel of an insight. The URL contains it as `panel`. Opening one panel closes the other; opening the open panel closes
 * it.
 * @param openOnStart returns the panel that is open while the URL names none; called once
 */
export function usePanel(openOnStart: () => PanelName | undefined): {
  /** The open panel; undefined if none is open. */
  panel: PanelName | undefined
  /** Opens a panel, or closes it if it is open. */
  toggle: (panel: PanelName) => void
  /** Closes the open panel. */
  close: () => void
  /** Value of `panel` in the URL while no panel is open; null for no value. */
  closed: string | null
} {
  const [search] = useSearchParams()
  const goTo = usePageAddress()
  const [initial] = useState(openOnStart)
  const named = search.get('panel')
  const panel = named === 'params' || named === 'basket' ? named : named === null ? initial : undefined
  const nameOf = (next: PanelName | undefined) => (next === initial ? null : (next ?? closedName))
  const show = (next: PanelName | undefined) => goTo({ panel: nameOf(next) })
  return {
    panel,
    toggle: (name) => show(name === panel ? undefined : name),
    close: () => show(undefined),
    closed: nameOf(undefined),
  }
}
