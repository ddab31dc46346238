import { pathOf, type Route, type RouteCall, type RouteOutput } from '@headwater/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsight } from './demo-insight.ts'
import { demoStockInsight } from './demo-stock-insight.ts'
import { demoPreps } from './demo-preps.ts'

/** Where the API is, and who calls it. */
export interface ApiAccess {
  /** Address of the server, for example `http://127.0.0.1:8080`. */
  url: string
  token: string
  /** Ends the session of the token. */
  signOut(): Promise<void>
}

/**
 * Loads the demo workspace through the public API, as a user would: groups, series files, data preps, insights. What is there
 * already stays, so an interrupted load can be repeated.
 */
export async function loadDemo(api: ApiAccess): Promise<void> {
  await createIfAbsent(api, demoInsightGroup)
  for (const group of demoGroups) {
    await createIfAbsent(api, group)
    await upload(api, group.name, group.fileName, await group.ncsv())
  }
  for (const dataPrep of demoPreps) await unlessThere(() => send(api, createDataPrep, { body: { dataPrep } }))
  for (const body of [demoStockInsight(), demoInsight()])
    await unlessThere(() => send(api, createInsight, { body }))
}

async function createIfAbsent(api: ApiAccess, { name, description }: { name: string; description: string }) {
  await unlessThere(() => send(api, createGroup, { body: { name, description, groupTags: ['demo'] } }))
}

async function upload(api: ApiAccess, groupName: string, fileName: string, content: string): Promise<void> {
  const ticket = await send(api, createFile, {
    body: { groupName, fileName, fileType: 'NCSV', fields: [{ name: 'AVOID_DUPLICATES', value: 'true' }] },
  })
  const { pathname, search } = new URL(ticket.location)
  const response = await fetch(api.url + pathname + search, {
    method: 'PUT',
    body: content,
    headers: { 'Content-Type': 'application/octet-stream' },
  })
  const receipt = (await response.json()) as { status?: string; message?: string }
  if (!response.ok || receipt.status === 'REJECTED')
    throw new Error(`${fileName} of the demo workspace was not taken: ${receipt.message}`)
}

class RefusedCall extends Error {
  readonly code: string | undefined
  constructor(route: Route, body: { code?: string; message?: string }) {
    super(`${route.name} was refused: ${body.message}`)
    this.code = body.code
  }
}

async function unlessThere(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const isThere = error instanceof RefusedCall && error.code?.endsWith('Exists') === true
    if (!isThere) throw error
  }
}

async function send<const R extends Route>(
  api: ApiAccess,
  route: R,
  input: RouteCall<R>,
): Promise<RouteOutput<R>> {
  const { params, body } = input as { params?: Record<string, unknown>; body?: unknown }
  const response = await fetch(api.url + pathOf(route.path, params), {
    method: route.method,
    headers: { Authorization: `Bearer ${api.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const answer = (await response.json()) as never
  if (!response.ok) throw new RefusedCall(route, answer)
  return answer
}
