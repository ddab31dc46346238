import type { ServerResponse } from 'node:http'

/** Aborts when the connection of an answer is closed, be it because the caller has gone. */
export function abortedByClose(response: ServerResponse): AbortController {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('The caller has gone.'))
  // Callers may disconnect while they are still being authenticated.
  if (response.destroyed) abort()
  else response.once('close', abort)
  return controller
}
