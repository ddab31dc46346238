import { createStore, readStoredText, useStore, writeStoredText } from '@headwater/web-kit'

const key = 'ng-rerun-tooltip-closed'
const closed = createStore<boolean | undefined>(undefined)

/** Whether readers are still told that tiles follow only once parameters are applied, and how to be told no more. */
export function useRerunHint(): { isShown: boolean; close: () => void } {
  const isClosed = useStore(closed) ?? readStoredText(key) === 'true'
  return {
    isShown: !isClosed,
    close: () => {
      closed.set(true)
      writeStoredText(key, 'true')
    },
  }
}
