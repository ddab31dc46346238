import { useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'

/** The two panels of an insight; only one of them is open at a time. */
export type PanelName = 'params' | 'basket'
/** What the address says when a panel that opens by itself has been closed. */
const closedName = 'none'

/**
 * Which panel of an insight is open. It stands in the address as `panel`; opening one closes the other, opening the open
 * one closes it.
 * @param openOnStart the panel that is open as long as the address names none
 */
export function usePanel(openOnStart: PanelName | undefined): {
  panel: PanelName | undefined
  toggle: (panel: PanelName) => void
  close: () => void
} {
  const [search] = useSearchParams()
  const location = useLocation()
  const navigate = useNavigate()
  const [initial] = useState(openOnStart)
  const named = search.get('panel')
  const panel = named === 'params' || named === 'basket' ? named : named === null ? initial : undefined
  function show(next: PanelName | undefined) {
    const changed = new URLSearchParams(location.search)
    if (next === initial) changed.delete('panel')
    else changed.set('panel', next ?? closedName)
    const text = changed.toString()
    const to = { pathname: location.pathname, search: text === '' ? '' : `?${text}`, hash: location.hash }
    void navigate(to, { replace: true })
  }
  return {
    panel,
    toggle: (name) => show(name === panel ? undefined : name),
    close: () => show(undefined),
  }
}
