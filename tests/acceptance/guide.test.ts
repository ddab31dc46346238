import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  startTestServer,
  testPassword,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { dataFilter, dataKey, dataQuery, fillTypes, type DataQueryInput } from '@headwater/symbols/contract'

/** Runs the examples of docs/guide/data-query.md unchanged. */
const guide = await readFile(
  fileURLToPath(new URL('../../docs/guide/data-query.md', import.meta.url)),
  'utf8',
)

let server: TestServer
let admin: Session
let now = Date.parse('2026-03-02T09:00:00Z')

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => new Date(now) } })
  admin = server.admin
  await admin.call(createGroup, { body: { name: 'Guide' } })
  for (const content of blocks('csv upload')) {
    await uploadSeries(admin, { groupName: 'Guide', content })
    now += 86_400_000
    // The session expires within a day.
    admin = await server.createUser({ role: 'Administrator' })
  }
  await admin.call(createGroup, { body: { name: 'Plants' } })
  for (const content of blocks('csv plants')) await uploadSeries(admin, { groupName: 'Plants', content })
})
afterAll(() => server.stop())

function blocks(kind: string): string[] {
  return [...guide.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, text = '']) => text,
  )
}

/** Returns the rows of the table whose header begins with a cell; cells are trimmed, without backquotes. */
function table(firstHeader: string, after = ''): string[][] {
  const lines = guide.slice(guide.indexOf(after)).split('\n')
  const start = lines.findIndex((line) => line.replaceAll('`', '').startsWith(`| ${firstHeader} `))
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map((line) =>
    line
      .replaceAll('`', '')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  )
}

async function send(query: unknown): Promise<string> {
  const response = await admin.fetch('/ts', {
    method: 'POST',
    body: JSON.stringify(query),
    headers: { 'Content-Type': 'application/json' },
  })
  return response.text()
}

const brent = { groupName: 'Guide', symbols: { Code: 'BRENT' }, columns: ['Close'] }

test('every query in the guide returns the response below it', async () => {
  const queries = blocks('json query')
  expect(queries).toHaveLength(blocks('csv answer').length)
  expect(queries.length).toBeGreaterThan(7)
  for (const [index, dialog] of queries.entries())
    expect([dialog, await send(JSON.parse(dialog))]).toEqual([dialog, blocks('csv answer')[index]])
})

test('the command at the top of the guide prints the output below it', async () => {
  const [command = ''] = blocks('sh')
  const script = command
    .replace('http://localhost:8080', server.url)
    .replace('admin@localhost.localdomain:', `${server.admin.userName}:`)
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    env: { PATH: process.env.PATH, PASSWORD: testPassword },
  })
  expect([stdout]).toEqual(blocks('csv printed'))
})

test('an unreadable group is omitted if other groups are readable, and an error otherwise', async () => {
  const nowhere = { groupName: 'Nowhere', symbols: { Code: 'BRENT' } }
  expect(await send({ keys: [nowhere, brent], lastTypeAmount: 1 })).toBe(blocks('csv printed')[0])
  expect(await send({ keys: [nowhere] })).toContain('groupNotFound')
})

test('the table of fills shows the actual results', async () => {
  const rows = table('fillType of TTF')
  expect(rows.map(([name = '']) => name.split(',')[0])).toEqual([...fillTypes])
  for (const [name = '', ...values] of rows) {
    const [fillType, points] = name.split(', avgPointsAmount ')
    const ttf = { groupName: 'Guide', symbols: { Code: 'TTF' }, columns: ['Close'], fillType }
    const query: DataQueryInput = {
      keys: [brent, points === undefined ? ttf : { ...ttf, avgPointsAmount: points }],
      outputLayout: 'COLUMNS',
    }
    const reply = (await send(query)).trimEnd().split('\n').slice(1)
    expect([name, ...reply.map((row) => row.split(',')[2])]).toEqual([name, ...values])
  }
})

test('the table of corrections shows the actual results', async () => {
  for (const [corrections, once = '', corrected = '', extra = ''] of table('corrections')) {
    const reply = await send({ keys: [brent], startDate: '2026-02-26', corrections })
    const [header = '', ...rows] = reply.trimEnd().split('\n')
    const valuesOf = (day: string) => rows.filter((row) => row.includes(day)).map((row) => row.split(',')[2])
    expect([corrections, valuesOf('2026-02-26').join(', '), valuesOf('2026-02-27').join(', ')]).toEqual([
      corrections,
      once,
      corrected,
    ])
    expect(header).toBe(`Code,Date(UTC),Close${extra === '' ? '' : `,${extra}`}`)
  }
})

test('the tables of fields list exactly the existing fields', () => {
  const names = (rows: string[][]) => rows.map(([name]) => name)
  expect(names(table('Field', '### Every field of a key'))).toEqual(Object.keys(dataKey.shape))
  expect(names(table('Field', '## Conditions'))).toEqual(Object.keys(dataFilter.shape))
  expect(names(table('Field', '## Every field of the query'))).toEqual(Object.keys(dataQuery.shape))
})
