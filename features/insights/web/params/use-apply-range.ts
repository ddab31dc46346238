import { useLocation, useNavigate } from 'react-router'
import { pageRangeField } from '@headwater/tiles/core'

/**
 * Chooses the range of the page by the text that goes into the address, undefined for none. It is a new entry of the
 * history, so that back and forward, a reload and a pasted link bring it back.
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
