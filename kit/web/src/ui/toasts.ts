import { ApiError, errorMessage } from '../call/api-error.ts'
import { intervals } from '../call/intervals.ts'
import { createStore } from '../call/store.ts'

export type ToastKind = 'success' | 'error' | 'warn' | 'info'

export interface ToastAction {
  label: string
  onClick?: () => void
  href?: string
}

export interface ToastContent {
  /** Default success. */
  kind?: ToastKind
  title: string
  text?: string
  action?: ToastAction
}

export interface ShownToast extends ToastContent {
  id: number
  kind: ToastKind
}

/** What is on screen at the moment, oldest first. */
export const shownToasts = createStore<readonly ShownToast[]>([])

const timers = new Map<number, ReturnType<typeof setTimeout>>()
let lastId = 0

/** Shows a toast for 30 s; returns its id for {@link dismissToast}. */
export function toast(content: ToastContent): number {
  return show(content, intervals.toastMs)
}

/** Shows one sentence for 5 s. */
export function message(title: string, kind: ToastKind = 'success'): number {
  return show({ title, kind }, intervals.messageMs)
}

/** Shows what went wrong for 30 s, with the id that stands in the log when there is one. */
export function toastError(error: unknown): number | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return undefined
  const id = error instanceof ApiError ? error.errorId : undefined
  return toast({
    kind: 'error',
    title: errorMessage(error),
    text: id === undefined ? undefined : `Error ${id}`,
  })
}

/** Message of a download that fails or has nothing in it. */
export const nothingToDownload = 'Could not find any data to download'

/** Shows that a download failed, with what the server says of it. */
export function toastDownloadError(error: unknown): number | undefined {
  if (error instanceof DOMException && error.name === 'AbortError') return undefined
  const text = error instanceof ApiError ? error.message : undefined
  return toast({ kind: 'error', title: nothingToDownload, text })
}

/** Takes a toast away. */
export function dismissToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  shownToasts.set(shownToasts.get().filter((shown) => shown.id !== id))
}

/** Holds a toast while the reader points at it; it goes `timeMs` after {@link releaseToast}. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Lets a held toast go after five more seconds. */
export function releaseToast(id: number): void {
  if (!timers.has(id))
    timers.set(
      id,
      setTimeout(() => dismissToast(id), intervals.messageMs),
    )
}

function show(content: ToastContent, timeMs: number): number {
  const kind = content.kind ?? 'success'
  const same = shownToasts
    .get()
    .find((shown) => shown.title === content.title && shown.text === content.text && shown.kind === kind)
  if (same) dismissToast(same.id)
  const id = ++lastId
  shownToasts.set([...shownToasts.get(), { ...content, kind, id }].slice(-5))
  timers.set(
    id,
    setTimeout(() => dismissToast(id), timeMs),
  )
  return id
}
