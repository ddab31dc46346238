import type { ServerResponse } from 'node:http'

/** Aborts when the connection of an answer is closed, be it because the caller has gone. */
export function abortedByClose(response: ServerResponse): AbortController {
  const controller = new AbortController()
  response.once('close', () => controller.abort(new Error('The caller has gone.')))
  return controller
}
