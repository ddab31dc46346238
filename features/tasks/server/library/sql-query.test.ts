import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  startTestServer,
  upload,
  uploadSeries,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { searchSymbols } from '@headwater/symbols/contract'
import { createTask, type TaskInput } from '@headwater/tasks/contract'
import { startedSelect } from './testing/select-processes.ts'
import { taskRuns, type TaskRuns } from './testing/task-runs.ts'

let server: TestServer
let owner: Session
let run: TaskRuns

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  run = taskRuns(owner, 'Flows')
  for (const name of ['Flows', 'Prices']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

let count = 0
async function fileOf(content: string | Uint8Array, fileName: string): Promise<string> {
  const file = { groupName: 'Prices', fileName, fileType: 'SOURCE', content: content as string }
  return JSON.stringify({ id: (await upload(owner, file)).fileId })
}

async function contentOf(file: string | undefined): Promise<string> {
  const { id } = JSON.parse(file!) as { id: string }
  return (await owner.fetch(`/file/${id}/download`)).text()
}

type OwnParam = { name: string; valueType: TaskInput['params'][number]['valueType']; value: string }

/** Saves a task with the SELECT and its own parameters; returns its name. */
async function saveSql(sql: string, params: OwnParam[]): Promise<string> {
  const name = `select ${++count}`
  const fixed = [
    { name: 'SQL', valueType: 'SCRIPT', value: sql },
    { name: 'Group', valueType: 'GROUP', value: 'Prices' },
  ]
  const body = { name, groupName: 'Flows', definitionName: 'sql-query', params: [...fixed, ...params] }
  await owner.call(createTask, { body: body as never })
  return name
}

async function runSql(sql: string, own: OwnParam[], params: Record<string, string> = {}) {
  const task = await saveSql(sql, own)
  const { steps, value } = await run({ task, group: 'Flows', params, outputs: ['File'] })
  return { ...steps[0]!, file: value('t0.File') }
}

test('a join of a CSV file, a JSON file and a series returns the same as a plain computation', async () => {
  const trades = Array.from({ length: 500 }, (_, index) => ({
    Code: `C${index % 7}`,
    Day: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
    Amount: (index * 37) % 101,
  }))
  const sectors = Array.from({ length: 6 }, (_, index) => ({
    code: `C${index}`,
    sector: index % 2 === 0 ? 'Oil' : null,
  }))
  await owner.call(createGroup, { body: { name: 'Rates' } })
  const rates = Array.from({ length: 28 }, (_, index) => (index + 1) / 8)
  await uploadSeries(owner, {
    groupName: 'Rates',
    fileName: 'rates.csv',
    content: `Code,Date,Rate\n${rates.map((rate, index) => `EUR,2026-01-${String(index + 1).padStart(2, '0')},${rate}\n`).join('')}`,
  })
  const csv = `Code;Day;Amount\n${trades.map(({ Code, Day, Amount }) => `${Code};${Day};${Amount}\n`).join('')}`
  const sql = `
    SELECT s.sector AS sector, count() AS n, sum(t.Amount * r.Rate) AS total
    FROM trades AS t
    LEFT JOIN sectors AS s ON s.code = t.Code
    JOIN \`euro rates\` AS r ON toDate(r.Date) = t.Day
    WHERE t.Amount >= {least:Int32}
    GROUP BY sector
    ORDER BY sector NULLS LAST`
  const { status, message, file } = await runSql(sql, [
    { name: 'trades', valueType: 'FILE', value: await fileOf(csv, 'trades.csv') },
    { name: 'sectors', valueType: 'FILE', value: await fileOf(JSON.stringify(sectors), 'sectors.json') },
    {
      name: 'euro rates',
      valueType: 'SERIES',
      value: JSON.stringify({ groupName: 'Rates', symbols: { Code: 'EUR' }, column: 'Rate' }),
    },
    { name: 'least', valueType: 'NUMBER', value: '20' },
  ])
  expect({ status, message }).toMatchObject({
    status: 'INFO',
    message: expect.stringMatching(/^Stored result\.csv/) as string,
  })
  const expected = new Map<string, { n: number; total: number }>()
  for (const { Code, Day, Amount } of trades) {
    if (Amount < 20) continue
    const sector = sectors.find(({ code }) => code === Code)?.sector ?? ''
    const entry = expected.get(sector) ?? { n: 0, total: 0 }
    expected.set(sector, { n: entry.n + 1, total: entry.total + Amount * rates[Number(Day.slice(-2)) - 1]! })
  }
  const line = (name: string, key: string) => `${name},${expected.get(key)!.n},${expected.get(key)!.total}`
  expect(await contentOf(file)).toBe(`"sector","n","total"\n${line('"Oil"', 'Oil')}\n${line('', '')}\n`)
})

test('types, time zones, nulls and large integers survive CSV, JSON and Parquet', async () => {
  const csv =
    'id,code,at,local,day,flag\n9007199254740993,007,2026-03-29T01:30:00+02:00,2026-03-29T01:30:00,1900-01-01,true\n-9223372036854775808,,,,,\n'
  const json = '[{"big": 18446744073709551615, "text": "12", "n": 1.5, "none": null, "in": {"k": [1, 2]}}]'
  const first = await runSql(
    "SELECT toString(id) AS id, code, toTypeName(code) AS type, at, toTimeZone(at, 'America/New_York') AS zone, day, flag FROM c ORDER BY id DESC",
    [{ name: 'c', valueType: 'FILE', value: await fileOf(csv, 'types.csv') }],
  )
  expect(first.status, first.message).toBe('INFO')
  expect(await contentOf(first.file)).toBe(
    '"id","code","type","at","zone","day","flag"\n' +
      '"9007199254740993","007","Nullable(String)","2026-03-28T23:30:00.000000Z","2026-03-28T23:30:00.000000Z","1900-01-01",true\n' +
      '"-9223372036854775808",,"Nullable(String)",,,,\n',
  )
  const second = await runSql(
    'SELECT big, text, n, none, `in`.k AS k FROM j',
    [{ name: 'j', valueType: 'FILE', value: await fileOf(json, 'types.json') }],
    { Format: 'Parquet', 'File name': 'types.parquet' },
  )
  expect(second.status, second.message).toBe('INFO')
  const third = await runSql("SELECT toString(big) AS big, text || '' AS text, n + 1 AS n, none FROM p", [
    { name: 'p', valueType: 'FILE', value: second.file! },
  ])
  expect(third.status, third.message).toBe('INFO')
  expect(await contentOf(third.file)).toBe('"big","text","n","none"\n"18446744073709551615","12",2.5,\n')
})

test('the result is ingested as series, and a data query is a table', async () => {
  await owner.call(createGroup, { body: { name: 'Derived' } })
  await owner.call(createGroup, { body: { name: 'Base' } })
  await uploadSeries(owner, {
    groupName: 'Base',
    fileName: 'base.csv',
    content: 'Code,Date,Close\nA,2026-01-01,1\nA,2026-01-02,2\nB,2026-01-01,10\n',
  })
  const { status, message } = await runSql(
    'SELECT Code, Date, Close * 2 AS Twice FROM base ORDER BY Code, Date',
    [
      {
        name: 'base',
        valueType: 'JSON',
        value: JSON.stringify({ keys: [{ groupName: 'Base', symbols: {} }] }),
      },
    ],
    { Format: 'NCSV', Group: 'Derived' },
  )
  expect(status, message).toBe('INFO')
  const symbols = await owner.call(searchSymbols, { query: { query: 'groupName.keyword=Derived' } })
  expect(symbols.items.map(({ symbols: keys }) => keys)).toEqual([{ Code: 'A' }, { Code: 'B' }])
})

test('a file that the user of the run cannot read is rejected like a missing one', async () => {
  const other = await server.createUser({ role: 'Pipeline builder' })
  await other.call(createGroup, { body: { name: 'Private' } })
  const hidden = await upload(other, { groupName: 'Private', fileType: 'SOURCE', content: 'a,b\n1,2\n' })
  const missing = '00000000-0000-4000-8000-000000000000'
  const messages: string[] = []
  for (const id of [hidden.fileId, missing]) {
    const { status, message } = await runSql('SELECT * FROM t', [
      { name: 't', valueType: 'FILE', value: JSON.stringify({ id }) },
    ])
    expect(status).toBe('ERROR')
    messages.push(message.replaceAll(id, 'ID'))
  }
  expect(messages[0]).toBe(messages[1])
  const { message } = await runSql('SELECT 1 AS a', [], { Group: 'Private' })
  expect(message).toMatch(/Private/)
})

test('errors in the SELECT or its files end the task with their position; nothing is stored', async () => {
  const file = { name: 't', valueType: 'FILE', value: await fileOf('a,b\n1,2\n3\n', 'wrong.csv') } as const
  expect(await runSql('SELECT * FROM t', [file])).toEqual({
    status: 'ERROR',
    message: 'Row 3 has 1 cell, but the header has 2.',
    file: undefined,
  })
  const old = { name: 't', valueType: 'FILE', value: await fileOf('day\n1899-12-31\n', 'old.csv') } as const
  expect((await runSql('SELECT * FROM t', [old])).message).toBe(
    'The column “day” has a date before 1900 or after 2299, which a SELECT cannot read.',
  )
  const zip = { name: 't', valueType: 'FILE', value: await fileOf('PK\u0003\u0004x', 'a.xlsx') } as const
  expect((await runSql('SELECT * FROM t', [zip])).message).toMatch(
    /^“a\.xlsx” is a ZIP archive or an XLSX workbook/,
  )
  expect(
    (await runSql('SELECT a,\n c FROM t', [{ ...file, value: await fileOf('a,b\n1,2\n', 'ab.csv') }]))
      .message,
  ).toMatch(/^The column “c” is unknown \(line 2, column 2\)\./)
})

test('an invalid SELECT cannot be saved, and the error states its position', async () => {
  await expect(saveSql('SELECT a\n  FROM t WHERE AND b', [])).rejects.toThrow(
    /The SELECT is not valid at line 2, column \d+, near “/,
  )
  await expect(saveSql("SELECT *\nFROM url('http://localhost/')", [])).rejects.toThrow(
    'The table function “url” is not allowed (line 2, column 6).',
  )
  await expect(saveSql('SELECT 1; SELECT 2', [])).rejects.toThrow('Only one statement is allowed')
  // Tables, columns and values are known only in the run.
  const valid = 'SELECT x.a FROM unknown AS x WHERE a < {most:UInt32} UNION ALL SELECT {list:Array(String)}'
  await expect(saveSql(valid, [])).resolves.toMatch(/^select/)
})

test('the number of result rows is limited; a warning states that rows are omitted', async () => {
  const numbers = Array.from({ length: 5000 }, (_, index) => `${index},"a\n""${index}"`)
  const value = await fileOf(`n,text\n${numbers.join('\n')}\n`, 'numbers.csv')
  const table = { name: 't', valueType: 'FILE', value } as const
  const note =
    'The SELECT returns more than 10 rows; the result contains the first 10. Raise “Maximum rows”, or filter or aggregate the rows.'
  const sorted = 'SELECT n, text FROM t ORDER BY n DESC'
  const first = Array.from({ length: 10 }, (_, index) => `${4999 - index},"a\n""${4999 - index}"\n`).join('')
  const { status, message, file } = await runSql(sorted, [table], { 'Maximum rows': '10' })
  expect([status, message.split('\n')[1]]).toEqual(['WARN', note])
  expect(await contentOf(file)).toBe(`"n","text"\n${first}`)
  const parquet = { Format: 'Parquet', 'File name': 'cut.parquet', 'Maximum rows': '10' }
  const cut = await runSql(sorted, [table], parquet)
  expect([cut.status, cut.message.split('\n')[1]]).toEqual(['WARN', note])
  const back = { name: 't', valueType: 'FILE', value: cut.file! } as const
  const read = await runSql('SELECT n, text FROM t', [back])
  expect(await contentOf(read.file)).toBe(`"n","text"\n${first}`)
  const exact = await runSql(`${sorted} LIMIT 10`, [table], parquet)
  expect([exact.status, exact.message.split('\n')]).toMatchObject(['INFO', { length: 1 }])
  for (const rows of ['0', '1.5', '10000001', '-1'])
    await expect(runSql(sorted, [table], { 'Maximum rows': rows })).rejects.toThrow(
      '“Maximum rows” must be a whole number from 1 to 10,000,000.',
    )
})

test('a table with a name that the engine reserves cannot be saved', async () => {
  const value = JSON.stringify({ id: '00000000-0000-4000-8000-000000000000' })
  for (const name of ['system', 'a.b', '1st', 'Information_Schema'])
    await expect(saveSql('SELECT 1', [{ name, valueType: 'FILE', value }])).rejects.toThrow(`“${name}”`)
})

test('a SELECT is executed again if its process crashes once, and the message of the step states this', async () => {
  const sql =
    'SELECT max(sipHash64(toString(n))) > 0 AS ok, count() AS rows FROM (SELECT arrayJoin(range(10000000)) AS n)'
  const task = await saveSql(sql, [])
  const ended = run({ task, group: 'Flows', params: {}, outputs: ['File'] })
  process.kill(await startedSelect(), 'SIGKILL')
  const { steps, value } = await ended
  const { status, message } = steps[0]!
  expect(status, message).toBe('INFO')
  expect(message).toMatch(
    /^Stored result\.csv .*\nThe engine stopped unexpectedly\. The SELECT was executed again\.$/,
  )
  expect(await contentOf(value('t0.File'))).toBe('"ok","rows"\n1,10000000\n')
})
