import { useCallback, useEffect, useState } from 'react'
import { createPath, useLocation, useNavigate, type Location } from 'react-router'
import { useIsPageScrolledBack } from '@headwater/web-kit'
import type { Tile } from '@headwater/tile-data/contract'

/** A change of the URL of an insight; omitted fields stay unchanged. */
export interface AddressChange {
  /** Whether the builder is open. */
  edit?: boolean
  /** Title of the tile in the hash; undefined removes it. */
  tileTitle?: string | undefined
  /** Whether the page scrolls to the tile; default true. */
  scroll?: boolean
  /** Value of `panel` in the query; null removes it. */
  panel?: string | null
  /** Whether the change is a new history entry. Default false. */
  push?: boolean
}

/** State of a history entry of an insight. */
interface EntryState {
  /** False if opening the entry does not scroll to the tile in the hash. */
  scroll?: boolean
  /** Whether the previous history entry is the view of the same insight, from which the builder was opened. */
  isOpenedFromView?: boolean
}

/** Returns whether the builder was opened from the view of the same insight, which is the previous history entry. */
export function useIsOpenedFromView(): boolean {
  const { state } = useLocation()
  return (state as EntryState | null)?.isOpenedFromView === true
}

/**
 * Returns a function that changes the URL of the page, by default without a new history entry. It starts from the
 * current URL of the window, so that consecutive changes add up.
 */
export function usePageAddress(): (change: AddressChange) => void {
  const { state } = useLocation()
  const navigate = useNavigate()
  return useCallback(
    (change) => {
      const { edit, tileTitle, panel, scroll = true, push = false } = change
      const next = new URLSearchParams(window.location.search)
      if (edit === true) next.set('edit', 'true')
      if (edit === false) next.delete('edit')
      if (panel === null) next.delete('panel')
      else if (panel !== undefined) next.set('panel', panel)
      const search = next.size === 0 ? '' : `?${next.toString()}`
      const named = tileTitle === undefined ? '' : `#${encodeURIComponent(tileTitle)}`
      const hash = 'tileTitle' in change ? named : window.location.hash
      const isUnchanged = search === window.location.search && hash === window.location.hash
      const scrollsToTile = scroll && tileTitle !== undefined
      if (isUnchanged && !scrollsToTile && (!scroll || !preventsScrolling(state))) return
      const { pathname } = window.location
      const isOpenedFromView = push || (edit !== false && (state as EntryState | null)?.isOpenedFromView)
      void navigate({ pathname, search, hash }, { replace: !push, state: { scroll, isOpenedFromView } })
    },
    [state, navigate],
  )
}

/**
 * Scrolls to the tile in the hash of the URL, and again when the user navigates to the same URL. Going back restores the scroll position
 * instead.
 * @param block position of the tile: `start` for readers, `nearest` in the builder
 */
export function useScrollToHash(tiles: readonly Tile[], block: 'start' | 'nearest'): void {
  const location = useLocation()
  const { hash, state } = location
  const repeats = useRepeats(location)
  const [firstHash] = useState(hash)
  const isBack = useIsPageScrolledBack() && hash === firstHash && repeats === 0
  const wanted = decodeHash(hash)
  const id =
    wanted === '' || preventsScrolling(state) || isBack
      ? undefined
      : tiles.find(({ title }) => title === wanted)?.id
  useEffect(() => {
    if (id === undefined) return
    document
      .querySelector(`[data-tile-id="${CSS.escape(id)}"]`)
      ?.scrollIntoView({ block, behavior: 'smooth' })
  }, [id, block, repeats])
}

/** Counts the navigations to the current URL. */
function useRepeats(location: Location): number {
  const [last, setLast] = useState({ location, repeats: 0 })
  if (last.location !== location) {
    const isRepeated = createPath(location) === createPath(last.location)
    setLast({ location, repeats: last.repeats + (isRepeated ? 1 : 0) })
  }
  return last.repeats
}

/** Returns whether the state of the navigation prevents scrolling. */
function preventsScrolling(state: unknown): boolean {
  return (state as EntryState | null)?.scroll === false
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}
