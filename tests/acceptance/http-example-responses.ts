import { readFileSync } from 'node:fs'

/** The response of an example, as the reference shows it. Lists have one item. */
export interface ExampleResponse {
  /** HTTP status. */
  status: number
  /** Body, if it is JSON. */
  json?: unknown
  /** Body, if it is text. */
  text?: string
}

const responses = JSON.parse(
  readFileSync(new URL('./http-example-responses.json', import.meta.url), 'utf8'),
) as Record<string, ExampleResponse>

/** Returns the response of the example of a route. */
export function responseOf(route: string): ExampleResponse {
  const response = responses[route]
  if (response === undefined)
    throw new Error(`http-example-responses.json has no response of ${route}. Add one for its example.`)
  return response
}
