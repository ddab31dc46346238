import { execFileSync } from 'node:child_process'
import { Agent, request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import {
  CallError,
  refusal,
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import type { TestEvent } from '../../contract/index.ts'

let server: TestServer
let owner: Session
let fileId: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const content = `Code;Amount\n${Array.from({ length: 250 }, (_, index) => `C${index % 5};${index}\n`).join('')}`
  fileId = (await upload(owner, { groupName: 'Flows', fileName: 'trades.csv', fileType: 'SOURCE', content }))
    .fileId
})
afterAll(() => server.stop())

type Param = { name: string; [field: string]: unknown }

function bodyOf(sql: string, { params = [], ...more }: { params?: Param[]; [field: string]: unknown } = {}) {
  return {
    groupName: 'Flows',
    definitionName: 'sql-query',
    params: [{ name: 'SQL', valueType: 'SCRIPT', value: sql }, ...params],
    ...more,
  }
}

const trades = (): Param => ({ name: 'trades', valueType: 'FILE', value: JSON.stringify({ id: fileId }) })

async function run(body: unknown, session = owner): Promise<TestEvent[]> {
  const headers = { 'Content-Type': 'application/json' }
  const response = await session.fetch('/mgmt/task/test', {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (response.status !== 200) throw new CallError(response.status, JSON.parse(text) as CallError['body'])
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as TestEvent)
}

const resultOf = async (body: unknown) => (await run(body)).at(-1)

test('a SELECT over a file and a series returns its rows, and nothing is stored', async () => {
  await uploadSeries(owner, {
    groupName: 'Flows',
    fileName: 'rates.csv',
    content: 'Code,Date,Rate\nEUR,2026-01-01,0.5\n',
  })
  const files = async () =>
    (await owner.call(searchFiles, { query: { query: 'groupName.keyword=Flows' } })).totalSize
  const before = await files()
  const rates = { groupName: 'Flows', symbols: { Code: 'EUR' }, column: 'Rate' }
  const params = [
    trades(),
    { name: 'rates', valueType: 'SERIES', value: JSON.stringify(rates) },
    { name: 'least', valueType: 'NUMBER' },
  ]
  const sql =
    'SELECT Code, sum(Amount * Rate) AS Total FROM trades, rates WHERE Amount >= {least:Int32} GROUP BY ALL ORDER BY ALL'
  expect(
    await run(bodyOf(sql.replace('Code', 'trades.Code AS Code'), { params, sample: { least: 245 } })),
  ).toEqual([
    { type: 'started' },
    {
      type: 'result',
      status: 'INFO',
      message: '',
      line: null,
      values: [],
      warnings: [],
      durationMs: expect.any(Number) as number,
      table: {
        columns: ['Code', 'Total'],
        columnCount: 2,
        rows: Array.from({ length: 5 }, (_, index) => [`C${index}`, `${(245 + index) / 2}`]),
        rowCount: 5,
        hasMoreRows: false,
      },
    },
  ])
  expect(await files()).toBe(before)
})

test('a long result is reduced to its first 100 rows and columns with the total counts; long cells end with “…”', async () => {
  const params = [trades()]
  const all = await resultOf(bodyOf('SELECT Amount FROM trades ORDER BY Amount', { params }))
  expect(all).toMatchObject({ status: 'INFO', table: { rowCount: 250, hasMoreRows: false } })
  const rows = Array.from({ length: 100 }, (_, index) => [`${index}`])
  expect(all).toMatchObject({ table: { rows } })
  const more = await resultOf(bodyOf('SELECT arrayJoin(range(100001)) AS n'))
  expect(more).toMatchObject({ status: 'INFO', table: { rowCount: 100_000, hasMoreRows: true } })
  const cut = await resultOf(bodyOf('SELECT * FROM trades', { params, sample: { 'Maximum rows': 7 } }))
  expect(cut).toMatchObject({
    status: 'WARN',
    message: expect.stringMatching(/^The SELECT returns more than 7 rows/) as string,
    table: { rowCount: 7, hasMoreRows: true },
  })
  const columns = Array.from({ length: 120 }, (_, index) => `${index} AS c${index}`).join(', ')
  const wide = await resultOf(bodyOf(`SELECT repeat('x', 301) AS long, NULL AS none, ${columns}`))
  expect(wide).toMatchObject({ table: { columnCount: 122, rowCount: 1 } })
  const { table } = wide as { table: { columns: string[]; rows: string[][] } }
  expect([table.columns.length, table.rows[0]!.length]).toEqual([100, 100])
  expect(table.rows[0]!.slice(0, 3)).toEqual([`${'x'.repeat(300)}…`, '', '0'])
})

test.each([
  ['SELECT a\n  FROM t WHERE AND b', /^The SELECT is not valid at line 2, column \d+, near “/],
  ['SELECT Code,\n  Colour FROM trades', /^The column “Colour” is unknown \(line 2, column 3\)\./],
  [
    "SELECT *\nFROM url('http://localhost/')",
    /^The table function “url” is not allowed \(line 2, column 6\)\./,
  ],
])('an error in a SELECT becomes the result, with its line and column (%#)', async (sql, message) => {
  expect(await resultOf(bodyOf(sql, { params: [trades()] }))).toMatchObject({
    status: 'ERROR',
    message: expect.stringMatching(message) as string,
    table: null,
  })
})

test('a SELECT can read only files that the caller can read', async () => {
  const stranger = await server.createUser({ role: 'Pipeline builder' })
  await stranger.call(createGroup, { body: { name: 'Other flows' } })
  const body = bodyOf('SELECT * FROM trades', { params: [trades()], groupName: 'Other flows' })
  const events = await run(body, stranger)
  expect(events.at(-1)).toMatchObject({ status: 'ERROR', table: null })
  expect(JSON.stringify(events)).not.toContain('C1')
})

test('a SELECT stops at the timeout of the task', async () => {
  expect(await resultOf(bodyOf(endless, { timeout: 1 }))).toMatchObject({
    status: 'ERROR',
    message: 'The SELECT exceeded its timeout of 1 second.',
  })
})

const numbers = (name: string) => `(SELECT arrayJoin(range(1000000)) AS ${name})`
const endless = `SELECT sum(sipHash64(a, b, c)) AS s FROM ${numbers('a')} AS x, ${numbers('b')} AS y, ${numbers('c')} AS z`

const kinds = [
  { kind: 'a SELECT', body: bodyOf(endless), program: 'select-process' },
  {
    kind: 'a script',
    body: {
      groupName: 'Flows',
      definitionName: 'python-runner',
      params: [
        {
          name: 'Script',
          valueType: 'SCRIPT',
          value: 'import subprocess\nsubprocess.run(["sleep", "86399.25"])',
        },
      ],
    },
    program: 'sleep 86399.25',
  },
]

/** Returns the descendants of this process, which is the server, with a given string in their command line. */
function processesWith(text: string): string[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, id, parent, command = ''] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      return id === undefined ? [] : [{ id, parent: parent!, command }]
    })
  const below = new Set([String(process.pid)])
  for (let size = 0; size < below.size;) {
    size = below.size
    for (const { id, parent } of lines) if (below.has(parent)) below.add(id)
  }
  return lines.filter(({ id, command }) => below.has(id) && command.includes(text)).map(({ id }) => id)
}

/** Sends requests over one connection, as a browser does. */
function connect(url: string, session: Session) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const headers = { Authorization: `Bearer ${session.token}`, 'Content-Type': 'application/json' }
  return (method: string, path: string, body?: unknown) => {
    const sent = request(new URL(path, url), { agent, method, headers })
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('response', resolve)
      sent.on('error', reject)
    })
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    return { sent, response }
  }
}

test.each(kinds)('$kind stops when the browser closes its connection', async ({ body, program }) => {
  const send = connect(server.url, owner)
  const first = await send('GET', '/file/group').response
  await first.resume().toArray()
  const { sent, response } = send('POST', '/mgmt/task/test', body)
  expect((await response).statusCode).toBe(200)
  expect(sent.reusedSocket).toBe(true)
  await expect.poll(() => processesWith(program)).not.toEqual([])
  expect((await refusal(run(bodyOf('SELECT 1 AS a')))).body.code).toBe('testInProgress')
  sent.destroy()
  await expect.poll(() => processesWith(program)).toEqual([])
  await expect
    .poll(() => resultOf(bodyOf('SELECT 1 AS a')).catch((error: CallError) => error.body))
    .toMatchObject({ table: { rows: [['1']] } })
})

test.each(kinds)(
  '$kind ends when the server stops, and the response states that it was stopped',
  async ({ body, program }) => {
    const other = await startTestServer()
    try {
      const user = await other.createUser({ role: 'Pipeline builder' })
      await user.call(createGroup, { body: { name: 'Flows' } })
      const { response } = connect(other.url, user)('POST', '/mgmt/task/test', body)
      const received = await response
      const text = received.toArray().then((parts) => Buffer.concat(parts as Buffer[]).toString())
      await expect.poll(() => processesWith(program)).not.toEqual([])
      await other.running.stop()
      expect(processesWith(program)).toEqual([])
      expect(await text).toContain('"status":"ERROR","message":"The run was stopped."')
    } finally {
      await other.stop()
    }
  },
)
