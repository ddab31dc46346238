import { useLocation, useNavigate } from 'react-router'
import { pageRangeField } from '@headwater/tile-data/core'

/**
 * Sets the range of the page to a string for the URL; undefined removes it. It adds a history entry, so that back and
 * forward, a reload and a pasted link restore it.
 */
export function useApplyRange(): (text: string | undefined) => void {
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  return (text) => {
    const search = new URLSearchParams(window.location.search)
    if (text === (search.get(pageRangeField) ?? undefined)) return
    if (text === undefined) search.delete(pageRangeField)
    else search.set(pageRangeField, text)
    void navigate({ pathname, search: search.size === 0 ? '' : `?${search.toString()}`, hash })
  }
}
