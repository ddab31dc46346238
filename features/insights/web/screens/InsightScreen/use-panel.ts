import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { usePlace } from './use-place.ts'

/** The two panels of an insight; only one of them is open at a time. */
export type PanelName = 'params' | 'basket'
/** What the address says when a panel that opens by itself has been closed. */
const closedName = 'none'

/**
 * Which panel of an insight is open. It stands in the address as `panel`; opening one closes the other, opening the open
 * one closes it.
 * @param openOnStart tells which panel is open as long as the address names none; asked once
 */
export function usePanel(openOnStart: () => PanelName | undefined): {
  panel: PanelName | undefined
  toggle: (panel: PanelName) => void
  close: () => void
  /** What the URL says as `panel` while none is open; null for nothing. */
  closed: string | null
} {
  const [search] = useSearchParams()
  const goTo = usePlace()
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
