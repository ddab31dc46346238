import { createStore, useStore } from '../call/store.ts'
import { dismissToast, toast, type ToastContent } from '../ui/toasts.ts'

const online = createStore(true)

/** Returns whether the browser is online, and renders again when this changes. */
export function useOnline(): boolean {
  return useStore(online)
}

/**
 * Watches the network connection of the browser: updates `useOnline` and shows a toast after each change. Returns a function
 * that stops watching.
 */
export function watchConnectivity(target: Window): () => void {
  online.set(target.navigator.onLine)
  // Only one of the two messages is visible at a time.
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
