import { afterAll, expect, inject, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'
import { Random } from '../../packages/timeseries/test/random-world.ts'
import { differenceOf } from '../../packages/timeseries/test/random-queries.ts'
import { createFormulas } from './random-requests/plain-formulas.ts'
import { readRequest, type PlainFormula, type RequestBody } from './random-requests/plain-request.ts'
import { createFiles, createGroups, PlainWorld } from './random-requests/plain-world.ts'
import { createRequest, respell } from './random-requests/random-request.ts'

// Each of them takes the server about a quarter of a second of CPU time.
const requests = Number(process.env.HEADWATER_RANDOM_QUERIES ?? (inject('campaign') === 'long' ? 5000 : 80))
const seed = Number(process.env.HEADWATER_RANDOM_SEED ?? 20_262)
const minute = 60_000
/** Number of concurrent requests. */
const concurrency = 4

/** In the middle of the data, one hour after clocks in Europe went forward. */
const now = Date.parse('2024-03-31T01:40:00Z')
let time = now - 8 * minute
let server: TestServer | undefined
afterAll(() => server?.stop())

test(
  'random requests return the responses that the guide specifies',
  async () => {
    server = await startTestServer({ clock: { now: () => new Date(time) } })
    const random = new Random(seed)
    const { world, formulas } = await fill(server.admin, random)
    time = now
    const { admin } = server
    let rows = 0
    let number = 0
    const sendNext = async (): Promise<void> => {
      if (++number > requests) return
      const own = number
      const body = createRequest(random, world, formulas)
      const spelt = respell(random, body)
      const result = await send(admin, { world, formulas }, body, spelt)
      if (result.difference !== undefined) {
        const smallest = await simplify(admin, { world, formulas }, body, result.difference)
        expect.unreachable(
          [
            `Seed ${seed}, request ${own}: the response differs from the one in the guide.`,
            `Sent: ${JSON.stringify(spelt)}`,
            `Smallest request: ${JSON.stringify(smallest.body)}`,
            `Difference: ${smallest.difference}`,
          ].join('\n'),
        )
      }
      rows += result.rows
      await sendNext()
    }
    await Promise.all(Array.from({ length: concurrency }, sendNext))
    // Empty responses would not prove anything.
    expect(rows).toBeGreaterThan(requests * 5)
  },
  120_000 + requests * 1000,
)

/** Uploads random files and creates random formulas of them. */
async function fill(
  admin: Session,
  random: Random,
): Promise<{ world: PlainWorld; formulas: PlainFormula[] }> {
  const world = new PlainWorld()
  world.groups.push(...createGroups())
  for (const { name } of world.groups) await admin.call(createGroup, { body: { name } })
  for (const file of createFiles(random, 4)) {
    time += minute / 2
    const flags = {
      replace: [],
      partial: ['PARTIAL_UPDATE'],
      changes: ['AVOID_DUPLICATES'],
      partialChanges: ['PARTIAL_UPDATE', 'AVOID_DUPLICATES'],
    }[file.mode]
    const fileId = await uploadSeries(admin, { groupName: file.groupName, content: file.content, flags })
    world.add(file, time, fileId)
  }
  await admin.call(createGroup, { body: { name: 'Desk' } })
  const formulas = createFormulas(random, world, 5)
  for (const { request } of formulas) await admin.call(createFormula, { body: request })
  return { world, formulas }
}

interface Known {
  world: PlainWorld
  formulas: readonly PlainFormula[]
}

/** Sends a request; `difference` describes how the response differs from the expected one. */
async function send(
  session: Session,
  { world, formulas }: Known,
  body: RequestBody,
  spelt: unknown = body,
): Promise<{ rows: number; difference?: string }> {
  const query = readRequest(world, formulas, body, now)
  const response = await session.fetch('/ts/stream', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(spelt),
  })
  let bytes: Buffer
  try {
    bytes = Buffer.from(await response.arrayBuffer())
  } catch (error) {
    return { rows: 0, difference: `the response broke off: ${(error as Error).message}` }
  }
  const status = query === undefined ? 404 : 200
  if (response.status !== status)
    return { rows: 0, difference: `status ${response.status} instead of ${status}: ${bytes.toString()}` }
  if (query === undefined) return { rows: 0 }
  const table = world.engine.table(query)
  const difference = differenceOf(bytes, table, query)
  if (difference !== undefined) return { rows: 0, difference }
  const isCounted = query.countRows === true
  const total = response.headers.get('X-KH-TOTAL-ROWS')
  const expected = String(
    query.layout === 'columns' ? new Set(table.rows.map(({ ts }) => ts)).size : table.rows.length,
  )
  if (isCounted && total !== expected)
    return { rows: 0, difference: `X-KH-TOTAL-ROWS ${total} instead of ${expected}` }
  return { rows: table.rows.length }
}

/** Returns the smallest request found whose response is still wrong. */
async function simplify(
  session: Session,
  known: Known,
  body: RequestBody,
  difference: string,
): Promise<{ body: RequestBody; difference: string }> {
  for (const simpler of simplifications(body)) {
    // A request without a part can be invalid.
    const matches = await send(session, known, simpler).catch(() => undefined)
    if (matches?.difference !== undefined && kindOf(matches.difference) === kindOf(difference))
      return simplify(session, known, simpler, matches.difference)
  }
  return { body, difference }
}

/** The status and the code of an error; the same for all wrong contents. */
function kindOf(difference: string): string | undefined {
  return /^status \d+ instead of \d+.*?"code":"\w+"/.exec(difference)?.[0]
}

/** Fields without which a part of a request is invalid. */
const required = ['name', 'operator', 'value', 'unit', 'functions']

function* simplifications<Value extends object>(value: Value): Generator<Value> {
  if (Array.isArray(value)) {
    if (value.length > 1) for (let at = 0; at < value.length; at++) yield value.toSpliced(at, 1) as Value
  } else {
    for (const name of Object.keys(value).filter((each) => !required.includes(each))) {
      const { [name as keyof Value]: _, ...rest } = value
      yield rest as Value
    }
  }
  for (const [name, item] of Object.entries(value)) {
    if (typeof item !== 'object' || item === null) continue
    for (const simpler of simplifications(item as object))
      yield (
        Array.isArray(value) ? value.with(Number(name), simpler) : { ...value, [name]: simpler }
      ) as Value
  }
}
