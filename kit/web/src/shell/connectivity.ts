import { createStore, useStore } from '../call/store.ts'
import { dismissToast, toast, type ToastContent } from '../ui/toasts.ts'

const online = createStore(true)

/** Whether the browser has a connection, watched. */
export function useOnline(): boolean {
  return useStore(online)
}

/** Follows the connection of the browser: sets the flag and says so. Returns how to stop. */
export function watchConnectivity(target: Window): () => void {
  online.set(target.navigator.onLine)
  // Of the two sentences only the one that holds stands there.
  let told: number | undefined
  const tell = (isOnline: boolean, content: ToastContent) => {
    online.set(isOnline)
    if (told !== undefined) dismissToast(told)
    told = toast(content)
  }
  const lost = () => tell(false, { kind: 'warn', title: 'You are offline.' })
  const regained = () => tell(true, { kind: 'success', title: 'You are back online.' })
  target.addEventListener('offline', lost)
  target.addEventListener('online', regained)
  return () => {
    target.removeEventListener('offline', lost)
    target.removeEventListener('online', regained)
  }
}
