import type { ServerResponse } from 'node:http'

/** Returns a controller that aborts when the connection of a response closes, for example because the caller disconnects. */
export function abortedByClose(response: ServerResponse): AbortController {
  const controller = new AbortController()
  const abort = () => controller.abort(new Error('The caller disconnected.'))
  // The caller may already have disconnected during authentication.
  if (response.destroyed) abort()
  else response.once('close', abort)
  return controller
}
