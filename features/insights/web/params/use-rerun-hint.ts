import { createStore, readStoredText, useStore, writeStoredText } from '@headwater/web-kit'

const key = 'ng-rerun-tooltip-closed'
const closed = createStore<boolean | undefined>(undefined)

/** Manages the hint that tiles change only after the parameters are applied; readers can dismiss it. */
export function useRerunHint(): { isVisible: boolean; close: () => void } {
  const isClosed = useStore(closed) ?? readStoredText(key) === 'true'
  return {
    isVisible: !isClosed,
    close: () => {
      closed.set(true)
      writeStoredText(key, 'true')
    },
  }
}
