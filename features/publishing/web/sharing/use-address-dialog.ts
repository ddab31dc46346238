import { useLocation, useNavigate } from 'react-router'

/** Mark of the history entry that opened a dialog. */
interface DialogState {
  dialog?: string
}

/**
 * Manages a dialog whose state is in the URL as `?<name>=open`: a link opens it, Back closes it, and closing it
 * restores the previous URL.
 * @param name name of the query parameter
 */
export function useAddressDialog(name: string): { isOpen: boolean; open: () => void; close: () => void } {
  const location = useLocation()
  const navigate = useNavigate()
  const search = new URLSearchParams(location.search)
  const isOpen = search.get(name) === 'open'
  return {
    isOpen,
    open: () => {
      search.set(name, 'open')
      const state = { scroll: false, dialog: name }
      void navigate({ search: `?${search.toString()}`, hash: location.hash }, { state })
    },
    close: () => {
      if (!isOpen) return
      if ((location.state as DialogState | null)?.dialog === name) {
        void navigate(-1)
        return
      }
      search.delete(name)
      const text = search.toString()
      void navigate(
        { search: text === '' ? '' : `?${text}`, hash: location.hash },
        { replace: true, state: { scroll: false } },
      )
    },
  }
}
