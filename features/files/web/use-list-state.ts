import { useLocation, useNavigate } from 'react-router'

/** State of a list page in its URL: the search text and the file with open details. The hash does not change. */
export interface ListState {
  /** Text of the search. */
  text: string
  /** Id of the open file. */
  opened: string | undefined
  /** Changes the text of the search. */
  setText: (text: string) => void
  /** Opens a file, or closes the panel. */
  open: (fid: string | undefined) => void
}

/**
 * Reads and changes the state of a list in the URL, so that it survives a reload, the back button and sharing the link.
 */
export function useListState(): ListState {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  const parameters = new URLSearchParams(search)
  const set = (name: string, value: string | undefined, replace: boolean) => {
    const next = new URLSearchParams(search)
    if (value === undefined || value === '') next.delete(name)
    else next.set(name, value)
    void navigate({ pathname, search: next.toString(), hash }, { replace, preventScrollReset: true })
  }
  return {
    text: parameters.get('query') ?? '',
    opened: parameters.get('file') ?? undefined,
    setText: (text) => set('query', text, true),
    open: (fid) => set('file', fid, false),
  }
}
