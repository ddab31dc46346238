import { pathOf, type Route, type RouteCall, type RouteOutput } from '@headwater/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { demoGroups, demoInsightGroup } from './demo-data.ts'
import { demoInsight } from './demo-insight.ts'
import { demoPipeline } from './demo-pipeline.ts'
import { demoStockInsight } from './demo-stock-insight.ts'
import { demoPreps } from './demo-preps.ts'

/** Address and credentials of the API. */
export interface ApiAccess {
  /** Address of the server, for example `http://127.0.0.1:8080`. */
  url: string
  /** Access token of the caller. */
  token: string
  /** E-mail address of the caller; the demo pipeline e-mails its report to it. */
  userName: string
  /** Ends the session of the token. */
  signOut(): Promise<void>
}

/**
 * Loads the demo workspace through the public API: groups, files of time series, data preps, insights, a pipeline. Skips what
 * already exists, so an interrupted load can be repeated.
 */
export async function loadDemo(api: ApiAccess): Promise<void> {
  await createIfAbsent(api, demoInsightGroup)
  for (const group of demoGroups) {
    await createIfAbsent(api, group)
    await upload(api, group.name, group.fileName, await group.ncsv())
  }
  for (const dataPrep of demoPreps)
    await unlessExists(() => send(api, createDataPrep, { body: { dataPrep } }))
  for (const body of [demoStockInsight(), demoInsight()])
    await unlessExists(() => send(api, createInsight, { body }))
  await unlessExists(() => send(api, createPipeline, { body: demoPipeline(api.userName) }))
}

async function createIfAbsent(api: ApiAccess, { name, description }: { name: string; description: string }) {
  await unlessExists(() => send(api, createGroup, { body: { name, description, groupTags: ['demo'] } }))
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
    throw new Error(`${fileName} of the demo workspace was rejected: ${receipt.message}`)
}

class RefusedCall extends Error {
  readonly code: string | undefined
  constructor(route: Route, body: { code?: string; message?: string }) {
    super(`${route.name} was refused: ${body.message}`)
    this.code = body.code
  }
}

async function unlessExists(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    const alreadyExists = error instanceof RefusedCall && error.code?.endsWith('Exists') === true
    if (!alreadyExists) throw error
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
  const result = (await response.json()) as never
  if (!response.ok) throw new RefusedCall(route, result)
  return result
}
