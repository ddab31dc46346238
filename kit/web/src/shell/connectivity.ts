import { createStore, useStore } from '../call/store.ts'
import { dismissToast, toast, type ToastContent } from '../ui/toasts.ts'

const online = createStore(true)

/** Store that contains whether the browser is online. */
export function useOnline(): boolean {
  return useStore(online)
}

/** Observes the connection of the browser: sets the flag and shows a toast. Returns a function that stops it. */
export function watchConnectivity(target: Window): () => void {
  online.set(target.navigator.onLine)
  // Only the current one of the two messages is visible.
  let toastId: number | undefined
  const notify = (isOnline: boolean, content: ToastContent) => {
    online.set(isOnline)
    if (toastId !== undefined) dismissToast(toastId)
    toastId = toast(content)
  }
  const lost = () => notify(false, { kind: 'warn', title: 'You are offline.' })
  const regained = () => notify(true, { kind: 'success', title: 'You are back online.' })
  target.addEventListener('offline', lost)
  target.addEventListener('online', regained)
  return () => {
    target.removeEventListener('offline', lost)
    target.removeEventListener('online', regained)
  }
}
