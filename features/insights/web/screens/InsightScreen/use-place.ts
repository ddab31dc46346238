import { useCallback, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Tile } from '../../../contract/index.ts'

/** Changes what the URL says about the page, without a new entry in the history: whether it is edited, which tile is meant. */
export function usePlace(): (to: { edit?: boolean; tileTitle?: string }) => void {
  const location = useLocation()
  const navigate = useNavigate()
  return useCallback(
    ({ edit, tileTitle }) => {
      const next = new URLSearchParams(location.search)
      if (edit === true) next.set('edit', 'true')
      if (edit === false) next.delete('edit')
      const search = next.size === 0 ? '' : `?${next.toString()}`
      const hash = tileTitle === undefined ? location.hash : `#${encodeURIComponent(tileTitle)}`
      void navigate({ pathname: location.pathname, search, hash }, { replace: true })
    },
    [location, navigate],
  )
}

/** Scrolls to the tile whose title the hash of the URL names. */
export function useScrollToHash(tiles: readonly Tile[]): void {
  const wanted = decodeHash(useLocation().hash)
  const id = wanted === '' ? undefined : tiles.find(({ title }) => title === wanted)?.id
  useEffect(() => {
    if (id === undefined) return
    const place = document.querySelector(`[data-tile-id="${CSS.escape(id)}"]`)
    place?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [id])
}

function decodeHash(hash: string): string {
  try {
    return decodeURIComponent(hash.replace(/^#/, ''))
  } catch {
    return ''
  }
}
