import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { openApiDocument, type Router } from '@headwater/server-kit'

const partState = z.enum(['ready', 'unready'])

const getHealth = defineRoute({
  name: 'getHealth',
  method: 'GET',
  path: '/health',
  summary:
    'Whether the server and its engines are ready. Returns 503 if one of them is not ready or does not respond within 2 s.',
  permission: 'public',
  output: z.object({
    status: partState.describe('`ready` if all parts are ready, otherwise `unready`.'),
    parts: z
      .record(z.string(), partState)
      .describe('State by part: database, series. A part that does not respond within 2 s is not ready.'),
  }),
})

const getOpenApi = defineRoute({
  name: 'getOpenApi',
  method: 'GET',
  path: '/openapi.json',
  summary: 'OpenAPI 3.1 document of all routes.',
  permission: 'public',
  output: z.record(z.string(), z.unknown()),
})

/** Maximum time for a part to report that it is ready, in milliseconds. */
const checkTimeoutMs = 2000

/**
 * Adds the routes for the state of the server.
 * @param checks a check for each part; it throws when the part is not ready
 */
export function registerServiceRoutes(
  router: Router,
  { checks, version }: { checks: Record<string, () => Promise<unknown>>; version: string },
): void {
  router.add(getHealth, async (_input, { reply }) => {
    const states = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
    )
    const unready = states.some(([, state]) => state === 'unready')
    if (unready) reply.code(503)
    return { status: unready ? ('unready' as const) : ('ready' as const), parts: Object.fromEntries(states) }
  })
  router.add(getOpenApi, async () => openApiDocument(router.routes, { title: 'Headwater', version }))
}

async function stateOf(check: () => Promise<unknown>): Promise<'ready' | 'unready'> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('no response in time')), checkTimeoutMs)
  try {
    await Promise.race([check(), promise])
    return 'ready'
  } catch {
    return 'unready'
  } finally {
    clearTimeout(timer)
  }
}
