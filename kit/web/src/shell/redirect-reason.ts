import { ApiError, errorMessage } from '../call/api-error.ts'

/** Reason why the user was redirected to another page. */
export interface RedirectReason {
  /** Headline, for example "Page not found". */
  title: string
  /** One sentence with the reason. */
  text: string
}

const stateKey = 'redirectReason'

/** Returns a navigation state that shows a reason above the target page. */
export function redirectState(reason: RedirectReason): Record<typeof stateKey, RedirectReason> {
  return { [stateKey]: reason }
}

/** Returns the reason in the state of a location; undefined without one. */
export function redirectReasonOf(state: unknown): RedirectReason | undefined {
  if (typeof state !== 'object' || state === null || !(stateKey in state)) return undefined
  const { [stateKey]: reason } = state as Record<typeof stateKey, Partial<RedirectReason> | null>
  if (typeof reason?.title !== 'string' || typeof reason.text !== 'string') return undefined
  return { title: reason.title, text: reason.text }
}

/**
 * Removes the reason from the history entry of the browser, so that it does not appear again when the user returns to the
 * page.
 */
export function forgetRedirectReason(): void {
  const entry = window.history.state as { usr?: unknown } | null
  if (redirectReasonOf(entry?.usr) !== undefined) window.history.replaceState({ ...entry, usr: null }, '')
}

/** Returns the reason to show if the content of a page could not be loaded, with the id from the log if there is one. */
export function notLoadedReason(noun: string, error: unknown): RedirectReason {
  const isMissing = error instanceof ApiError && error.status === 404
  const id = error instanceof ApiError && error.errorId !== undefined ? ` Error ${error.errorId}.` : ''
  return {
    title: isMissing ? `${noun} not found` : `${noun} could not be opened`,
    text: `${errorMessage(error)}${id}`,
  }
}
