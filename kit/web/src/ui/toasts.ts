import { ApiError, errorMessage, isAbort } from '../call/api-error.ts'
import { intervals } from '../call/intervals.ts'
import { createStore } from '../call/store.ts'

/** Kind of a toast, which sets its colour and icon. */
export type ToastKind = 'success' | 'error' | 'warn' | 'info'

/** A link or button inside a toast. */
export interface ToastAction {
  /** Label of the action. */
  label: string
  /** Runs the action. */
  onClick?: () => void
  /** If set, the action is a link. */
  href?: string
}

/** Content of a toast. */
export interface ToastContent {
  /** Kind, default success. */
  kind?: ToastKind
  /** The message. */
  title: string
  /** Smaller text below the message. */
  text?: string
  /** A link or button. */
  action?: ToastAction
}

/** A toast on the screen. */
export interface VisibleToast extends ToastContent {
  /** Number of the toast. */
  id: number
  /** Kind of the toast. */
  kind: ToastKind
}

/** The visible toasts, oldest first. */
export const visibleToasts = createStore<readonly VisibleToast[]>([])

const timers = new Map<number, ReturnType<typeof setTimeout>>()
let lastId = 0

/** Shows a toast for 30 s; returns its id for {@link dismissToast}. */
export function toast(content: ToastContent): number {
  return show(content, intervals.toastMs)
}

/** Shows a short message for 5 s. */
export function message(title: string, kind: ToastKind = 'success'): number {
  return show({ title, kind }, intervals.messageMs)
}

/** Shows an error for 30 s, with the id from the log if there is one. */
export function toastError(error: unknown): number | undefined {
  if (isAbort(error)) return undefined
  const id = error instanceof ApiError ? error.errorId : undefined
  return toast({
    kind: 'error',
    title: errorMessage(error),
    text: id === undefined ? undefined : `Error ${id}`,
  })
}

/** Error of a failed download. The message states the reason. */
export class DownloadError extends Error {}

/** Message for a download that fails or is empty. */
export const nothingToDownload = 'Could not find any data to download'

/** Shows a toast for a failed download, with the message of the server. */
export function toastDownloadError(error: unknown): number | undefined {
  if (isAbort(error)) return undefined
  if (error instanceof DownloadError) return toastError(error)
  const text = error instanceof ApiError ? error.message : undefined
  return toast({ kind: 'error', title: nothingToDownload, text })
}

/** Removes a toast. */
export function dismissToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  visibleToasts.set(visibleToasts.get().filter((visible) => visible.id !== id))
}

/** Keeps a toast on the screen while the pointer is over it, until {@link releaseToast}. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Lets a toast disappear after five more seconds. */
export function releaseToast(id: number): void {
  if (!timers.has(id))
    timers.set(
      id,
      setTimeout(() => dismissToast(id), intervals.messageMs),
    )
}

function show(content: ToastContent, timeMs: number): number {
  const kind = content.kind ?? 'success'
  const same = visibleToasts
    .get()
    .find(
      ({ title, text, kind: visibleKind }) =>
        title === content.title && text === content.text && visibleKind === kind,
    )
  if (same) dismissToast(same.id)
  const id = ++lastId
  visibleToasts.set([...visibleToasts.get(), { ...content, kind, id }].slice(-5))
  timers.set(
    id,
    setTimeout(() => dismissToast(id), timeMs),
  )
  return id
}
