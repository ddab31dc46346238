import { createStore, useStore } from '../call/store.ts'
import { toast } from '../ui/toasts.ts'

const online = createStore(true)

/** Whether the browser has a connection, watched. */
export function useOnline(): boolean {
  return useStore(online)
}

/** Follows the connection of the browser: sets the flag and says so. Returns how to stop. */
export function watchConnectivity(target: Window): () => void {
  online.set(target.navigator.onLine)
  const lost = () => {
    online.set(false)
    toast({ kind: 'warn', title: 'You are offline.' })
  }
  const regained = () => {
    online.set(true)
    toast({ kind: 'success', title: 'You are back online.' })
  }
  target.addEventListener('offline', lost)
  target.addEventListener('online', regained)
  return () => {
    target.removeEventListener('offline', lost)
    target.removeEventListener('online', regained)
  }
}
