import { useCallback, useEffect, useState } from 'react'
import { createPath, useLocation, useNavigate, type Location } from 'react-router'
import { useIsPageScrolledBack } from '@headwater/web-kit'
import type { Tile } from '@headwater/tiles/contract'

/** What the URL says about the page; what is left out stays as it is. */
export interface Place {
  edit?: boolean
  /** The tile that is meant; undefined for none. */
  tileTitle?: string | undefined
  /** Whether the page scrolls to the tile, default yes. */
  scroll?: boolean
  /** What the URL says about the panels; null for nothing. */
  panel?: string | null
}

/**
 * Changes what the URL says about the page, without a new entry in the history. It goes by the URL of the moment, so that
 * several changes in a row add up.
 */
export function usePlace(): (to: Place) => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  return useCallback(
    (to) => {
      const { edit, tileTitle, panel, scroll = true } = to
      const next = new URLSearchParams(window.location.search)
      if (edit === true) next.set('edit', 'true')
      if (edit === false) next.delete('edit')
      if (panel === null) next.delete('panel')
      else if (panel !== undefined) next.set('panel', panel)
      const search = next.size === 0 ? '' : `?${next.toString()}`
      const named = tileTitle === undefined ? '' : `#${encodeURIComponent(tileTitle)}`
      const hash = 'tileTitle' in to ? named : window.location.hash
      const isThere = search === window.location.search && hash === window.location.hash
      const bringsTile = scroll && tileTitle !== undefined
      if (isThere && !bringsTile && (!scroll || !isCalm(state))) return
      const { pathname } = window.location
      void navigate({ pathname, search, hash }, { replace: true, state: { scroll } })
    },
    [state, navigate],
  )
}

/**
 * Scrolls to the tile whose title the hash of the URL names, and again when one goes to the address where one is.
 * Who comes back finds the page as they left it.
 * @param block where it then stands: at the upper edge for who reads it, `nearest` for who is at work on the tiles
 */
export function useScrollToHash(tiles: readonly Tile[], block: 'start' | 'nearest'): void {
  const location = useLocation()
  const { hash, state } = location
  const repeats = useRepeats(location)
  const [firstHash] = useState(hash)
  const isBack = useIsPageScrolledBack() && hash === firstHash && repeats === 0
  const wanted = decodeHash(hash)
  const id =
    wanted === '' || isCalm(state) || isBack ? undefined : tiles.find(({ title }) => title === wanted)?.id
  useEffect(() => {
    if (id === undefined) return
    const place = document.querySelector(`[data-tile-id="${CSS.escape(id)}"]`)
    place?.scrollIntoView({ block, behavior: 'smooth' })
  }, [id, block, repeats])
}

/** How often one went to the address where one was already. */
function useRepeats(location: Location): number {
  const [last, setLast] = useState({ location, repeats: 0 })
  if (last.location !== location) {
    const isRepeated = createPath(location) === createPath(last.location)
    setLast({ location, repeats: last.repeats + (isRepeated ? 1 : 0) })
  }
  return last.repeats
}

/** Whether the page was told not to scroll. */
function isCalm(state: unknown): boolean {
  return (state as Place | null)?.scroll === false
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}
