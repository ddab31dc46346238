import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { parseCsv } from '@headwater/csv'
import { findSandbox, type Sandbox } from '@headwater/sandbox'
import { runSelect, SelectError } from '@headwater/sql'
import { selectProcesses, startedSelect } from './testing/select-processes.ts'

let sandbox: Sandbox

beforeAll(async () => {
  const availability = await findSandbox()
  if (!availability.available) throw new Error(availability.reason)
  sandbox = availability.sandbox
})

const rows = '{"a":1,"b":"x"}\n{"a":2,"b":null}\n'

async function* content(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Executes a SELECT over the table `t`; returns its result or its error message. */
async function select(
  sql: string,
  {
    params = {},
    memoryMib = 300,
    outputBytes = 10_000_000,
    signal,
    json = rows,
    onCrash = () => {},
  }: {
    params?: Record<string, string | string[]>
    memoryMib?: number
    outputBytes?: number
    signal?: AbortSignal
    json?: string
    onCrash?: () => void
  } = {},
): Promise<string> {
  const parts: Uint8Array[] = []
  try {
    const result = runSelect((run) => sandbox.runProgram(run), {
      sql,
      tables: [{ name: 't', format: 'JSON', content: content(json) }],
      params,
      format: 'CSV',
      memoryBytes: memoryMib * 1024 * 1024,
      inputBytes: 1_000_000,
      outputBytes,
      maxRows: 1_000_000,
      signal: signal ?? new AbortController().signal,
      onCrash,
    })
    for await (const part of result) parts.push(part)
  } catch (error) {
    if (error instanceof SelectError) return error.message
    throw error
  }
  return Buffer.concat(parts).toString()
}

async function selectAll(statements: readonly string[]): Promise<string[]> {
  const results: string[] = []
  const queue = statements.entries()
  const work = async () => {
    for (const [index, sql] of queue) results[index] = await select(sql)
  }
  await Promise.all([work(), work(), work()])
  return results
}

/** Statements that try to read or change something other than the tables, with the beginning of the error message. */
const refused: readonly (readonly [string, string])[] = [
  [
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    'The table function “file” is not allowed (line 1, column 15)',
  ],
  ["SELECT *\nFROM\n  file('/etc/passwd')", 'The table function “file” is not allowed (line 3, column 3)'],
  ["SELECT file('/etc/passwd')", 'The function “file” is not allowed (line 1, column 8)'],
  [
    "SELECT * FROM t WHERE b = (SELECT * FROM FILE('/etc/passwd', LineAsString))",
    'The table function “FILE”',
  ],
  ["SELECT * FROM `file`('/etc/passwd', 'LineAsString')", 'The table function “file” is not allowed (line 1'],
  ["SELECT * FROM /* x */ file/**/('/etc/passwd')", 'The table function “file” is not allowed'],
  ["SELECT * FROM url('http://127.0.0.1:80/', CSV)", 'The table function “url”'],
  ["SELECT * FROM s3('http://127.0.0.1/bucket/x', CSV)", 'The table function “s3”'],
  ["SELECT * FROM remote('127.0.0.1', system.one)", 'The table function “remote”'],
  ["SELECT * FROM cluster('default', system.one)", 'The table function “cluster”'],
  ["SELECT * FROM clusterAllReplicas('default', system.one)", 'The table function “clusterAllReplicas”'],
  ["SELECT * FROM postgresql('127.0.0.1:5432', 'db', 't', 'u', 'p')", 'The table function “postgresql”'],
  ["SELECT * FROM mysql('127.0.0.1:3306', 'db', 't', 'u', 'p')", 'The table function “mysql”'],
  ["SELECT * FROM sqlite('/tmp/x.db', 't')", 'The table function “sqlite”'],
  ["SELECT * FROM mongodb('127.0.0.1', 'db', 't', 'u', 'p', 'a Int8')", 'The table function “mongodb”'],
  ["SELECT * FROM hdfs('hdfs://127.0.0.1/x', CSV)", 'The table function “hdfs”'],
  ["SELECT * FROM executable('id.sh', CSV, 'a String')", 'The table function “executable”'],
  ["SELECT * FROM input('a String')", 'The table function “input”'],
  ['SELECT * FROM numbers(10)', 'The table function “numbers”'],
  ['SELECT * FROM zeros(10)', 'The table function “zeros”'],
  ["SELECT * FROM generateRandom('a Int8')", 'The table function “generateRandom”'],
  ["SELECT * FROM merge('system', '.*')", 'The table function “merge”'],
  ['SELECT * FROM view(SELECT 1)', 'The table function “view”'],
  ['SELECT * FROM (EXPLAIN SELECT 1)', 'The table function “viewExplain”'],
  ['SELECT * FROM Python(x)', 'The table function “Python”'],
  ['SELECT * FROM loop(t)', 'The table function “loop”'],
  ["SELECT * FROM deltaLake('/tmp/x')", 'The table function “deltaLake”'],
  ["SELECT * FROM dictionary('x')", 'The table function “dictionary”'],
  ['SELECT * FROM system.tables', '“system.tables” is not allowed (line 1, column 15)'],
  ['SELECT * FROM `system`.`settings`', '“system.settings” is not allowed'],
  ['SELECT 1 WHERE 1 IN system.one', '“system.one” is not allowed'],
  ['SELECT * FROM INFORMATION_SCHEMA.TABLES', '“INFORMATION_SCHEMA.TABLES” is not allowed'],
  ['SELECT * FROM other.t', '“other.t” is not allowed'],
  ['WITH x AS (SELECT * FROM system.processes) SELECT * FROM x', '“system.processes” is not allowed'],
  ['SELECT 1 UNION ALL SELECT count() FROM system.functions', '“system.functions” is not allowed'],
  ["SELECT dictGet('d', 'a', 1)", 'The function “dictGet”'],
  ["SELECT joinGet('t', 'a', 1)", 'The function “joinGet”'],
  ['SELECT hostName()', 'The function “hostName”'],
  ["SELECT getSetting('max_threads')", 'The function “getSetting”'],
  ["SELECT getServerSetting('max_server_memory_usage')", 'The function “getServerSetting”'],
  ['SELECT sleep(3)', 'The function “sleep”'],
  ['SELECT addressToLine(1)', 'The function “addressToLine”'],
  ["SELECT aiGenerateContent('x')", 'The function “aiGenerateContent”'],
  ['SELECT filesystemAvailable()', 'The function “filesystemAvailable”'],
  ['SELECT 1 SETTINGS readonly = 0', 'SETTINGS are not allowed (line 1, column 10)'],
  ['SELECT * FROM (SELECT 1 SETTINGS max_memory_usage = 0)', 'SETTINGS are not allowed'],
  ["SELECT 1 INTO OUTFILE '/run/output/x'", 'INTO OUTFILE and FORMAT are not allowed'],
  ["SELECT 1 INTO OUTFILE '/run/output/result' TRUNCATE", 'INTO OUTFILE and FORMAT are not allowed'],
  ['SELECT 1 FORMAT JSON', 'INTO OUTFILE and FORMAT are not allowed (line 1, column 10)'],
  ['SELECT 1; SELECT 2', 'Only one statement is allowed (line 1, column 9)'],
  ['SELECT 1; SET readonly = 0', 'Only one statement is allowed'],
  ['SET readonly = 0', 'The statement is not a SELECT'],
  ['DROP TABLE t', 'The statement is not a SELECT'],
  ["INSERT INTO t SELECT 3, 'y'", 'The statement is not a SELECT'],
  ["INSERT INTO FUNCTION file('/tmp/x') SELECT 1", 'The statement is not a SELECT'],
  ["CREATE TABLE x ENGINE = File(CSV, '/etc/passwd') AS SELECT 1", 'The statement is not a SELECT'],
  ['CREATE FUNCTION f AS (x) -> x', 'The statement is not a SELECT'],
  ['ATTACH TABLE x', 'The statement is not a SELECT'],
  ['SHOW TABLES', 'The statement is not a SELECT'],
  ['EXPLAIN SELECT 1', 'The statement is not a SELECT'],
  ['DESCRIBE TABLE t', 'The statement is not a SELECT'],
  ['SYSTEM SHUTDOWN', 'The statement is not a SELECT'],
  ['KILL QUERY WHERE 1', 'The statement is not a SELECT'],
  ["BACKUP TABLE t TO Disk('default', 'x')", 'The statement is not a SELECT'],
]

test('the maximum number of rows applies only to the result, not to subqueries', async () => {
  const json = Array.from({ length: 5000 }, (_, n) => JSON.stringify({ n, text: `a\n"${n}` })).join('\n')
  const cases: [sql: string, maxRows: number, rows: number, isCut: boolean][] = [
    ['SELECT n, text FROM t ORDER BY n DESC', 5000, 5000, false],
    ['SELECT n, text FROM t ORDER BY n DESC', 4999, 4999, true],
    ['SELECT text FROM t LIMIT 10', 10, 10, false],
    ['SELECT text FROM t LIMIT 10', 9, 9, true],
    ['SELECT count() AS total FROM t WHERE n IN (SELECT n FROM t)', 1, 1, false],
    ['SELECT n FROM t INTERSECT SELECT n FROM t WHERE n > 4990', 100, 9, false],
    ['SELECT n FROM t UNION ALL SELECT n FROM t', 9999, 9999, true],
    ['SELECT n FROM t UNION DISTINCT SELECT n FROM t', 5000, 5000, false],
    ['WITH x AS (SELECT n FROM t) SELECT max(n) AS most FROM x', 1, 1, false],
    ['SELECT n FROM t WHERE 0', 1, 0, false],
  ]
  for (const [sql, maxRows, rows, isCut] of cases) {
    const run = runSelect((program) => sandbox.runProgram(program), {
      sql,
      tables: [{ name: 't', format: 'JSON', content: content(json) }],
      params: {},
      format: 'CSV',
      memoryBytes: 300 * 1024 * 1024,
      inputBytes: 1_000_000,
      outputBytes: 10_000_000,
      maxRows,
      signal: new AbortController().signal,
      onCrash: () => {},
    })
    const parts: Uint8Array[] = []
    let next = await run.next()
    for (; next.done !== true; next = await run.next()) parts.push(next.value)
    const table = parseCsv(Buffer.concat(parts).toString())
    expect([sql, table.length - 1, next.value]).toEqual([sql, rows, { isCut }])
    if (sql.endsWith('DESC')) expect(table.at(-1)).toEqual([`${5000 - rows}`, `a\n"${5000 - rows}`])
  }
})

test('statements that access anything but the tables of the task are rejected with their position', async () => {
  expect(refused.length).toBeGreaterThanOrEqual(40)
  const messages = await selectAll(refused.map(([sql]) => sql))
  for (const [index, [sql, start]] of refused.entries())
    expect(messages[index]!.startsWith(start), `${sql} → ${messages[index]}`).toBe(true)
})

test('names and strings that look like forbidden clauses are allowed', async () => {
  expect(
    await selectAll([
      "SELECT 'FROM file(1); SETTINGS x = 1' AS s FROM t LIMIT 1",
      'SELECT a AS `SETTINGS readonly = 0` FROM t LIMIT 1 -- FORMAT JSON',
      'WITH file AS (SELECT 5 AS n) SELECT n FROM file',
    ]),
  ).toEqual(['"s"\n"FROM file(1); SETTINGS x = 1"\n', '"SETTINGS readonly = 0"\n1\n', '"n"\n5\n'])
})

test('names that imitate nodes of the syntax tree are rejected', async () => {
  const message = 'Names in a SELECT cannot contain line breaks and other control characters.'
  expect(await select('SELECT 1 AS `a\n Set`;')).toBe(message)
  expect(await select("SELECT * FROM t AS `x\\n  SelectQuery`, file('/etc/passwd')")).toBe(message)
})

test('joins, windows, grouping, combinators and other clauses of a SELECT work', async () => {
  const results = await selectAll([
    'WITH r AS (SELECT a FROM t) SELECT r.a, u.b FROM r LEFT JOIN t AS u USING (a) ORDER BY a',
    'SELECT a, row_number() OVER (PARTITION BY b ORDER BY a) AS n, lagInFrame(a) OVER w AS l FROM t WINDOW w AS (ORDER BY a) ORDER BY a',
    'SELECT countIf(a > 1) AS c, quantileExact(0.5)(a) AS q, sumOrNull(a) AS s, count(DISTINCT b) AS d FROM t',
    'SELECT b, sum(a) AS s FROM t GROUP BY ROLLUP(b) ORDER BY s, b',
    "SELECT CASE WHEN a = 1 THEN 'one' ELSE 'two' END AS c, CAST(a AS String) AS s, a::Float64 / 4 AS f, a BETWEEN 1 AND 1 AS e FROM t ORDER BY a",
    "SELECT x, arrayMap(y -> y + 1, [1, 2]) AS m FROM t ARRAY JOIN ['p'] AS x LIMIT 1",
    "SELECT * EXCEPT (b), COLUMNS('^a$') FROM t WHERE EXISTS (SELECT 1) ORDER BY ALL LIMIT 1",
    'SELECT a FROM t INTERSECT SELECT 2',
    "SELECT toDate('2026-01-31') + INTERVAL 1 MONTH AS d, EXTRACT(YEAR FROM d) AS y",
  ])
  expect(results).toEqual([
    '"a","b"\n1,"x"\n2,\n',
    '"a","n","l"\n1,1,\n2,1,1\n',
    '"c","q","s","d"\n1,2,3,1\n',
    '"b","s"\n"x",1\n,2\n,3\n',
    '"c","s","f","e"\n"one","1",0.25,1\n"two","2",0.5,0\n',
    '"x","m"\n"p","[2,3]"\n',
    '"a","a"\n1,1\n',
    '"a"\n2\n',
    '"d","y"\n"2026-02-28",2026\n',
  ])
})

test('errors state the line, the column and the known names', async () => {
  expect(
    await selectAll([
      "SELECT 'ä',\n  a b c\nFROM t",
      'SELECT a\nFROM t\nWHERE (a = 1',
      'SELECT a,\n  colour\nFROM t',
      'SELECT 1\nFROM prices',
      '',
    ]),
  ).toEqual([
    expect.stringMatching(/^The SELECT is not valid at line 2, column 7, near “c”/) as string,
    expect.stringMatching(
      /^The SELECT is not valid at line 3, column 7, near .* A parenthesis has no counterpart\./,
    ) as string,
    expect.stringMatching(/^The column “colour” is unknown \(line 2, column 3\)\./) as string,
    'The table “prices” is unknown (line 2, column 6). The tables of the task are t.',
    'Write a SELECT.',
  ])
})

test('values are bound by type and never become part of the statement', async () => {
  const params = { least: '2', text: "x'; DROP TABLE t --", list: ["a'b", 'x'], table: 'system.one' }
  expect(await select('SELECT a FROM t WHERE a >= {least:Int32}', { params })).toBe('"a"\n2\n')
  expect(await select('SELECT {text:String} AS s', { params })).toBe('"s"\n"x\'; DROP TABLE t --"\n')
  expect(await select('SELECT a FROM t WHERE b IN {list:Array(String)}', { params })).toBe('"a"\n1\n')
  expect(await select('SELECT * FROM {table:Identifier}', { params })).toMatch(/^“system.one” is not allowed/)
  expect(await select('SELECT {other:String}', { params })).toMatch(/other/)
})

test('memory and the sizes of tables and of the result are limited', async () => {
  const large = 'SELECT arrayJoin(range(3000000)) AS n'
  expect(await select(`SELECT groupArray(n) FROM (${large})`, { memoryMib: 20 })).toMatch(
    /^The SELECT needs more than 20 MiB of memory\./,
  )
  expect(await select(large, { outputBytes: 1_000_000 })).toMatch(/^The result is larger than 0.001 GB\./)
  expect(await select('SELECT * FROM t', { json: 'x'.repeat(1_000_001) })).toMatch(
    /^The tables have more than/,
  )
  expect(await select('SELECT * FROM t', { json: '{"a": 1}\n{"a": [' })).toMatch(
    /^The file of the table “t” cannot be read\./,
  )
})

const million = '(SELECT arrayJoin(range(1000000)) AS number)'
/** A SELECT that would take years, without a table. */
const endless = `SELECT sum(sipHash64(p.number)) FROM ${million} AS p, ${million} AS q, ${million} AS r`

/** Starts the endless SELECT; returns its error message or the reason why it ended. */
function startEndless(signal = new AbortController().signal): Promise<unknown> {
  return select(endless, { signal, memoryMib: 600 }).then(
    (message) => message,
    (error: unknown) => error,
  )
}

test('stopping a SELECT that would take years ends it with the reason of the stop and ends its process', async () => {
  const stop = new AbortController()
  const ended = startEndless(stop.signal)
  await startedSelect([])
  const reason = new Error('stopped')
  stop.abort(reason)
  expect(await ended).toBe(reason)
  expect(await selectProcesses()).toEqual([])
})

test('a SELECT is executed again in a new process if its process crashes; if that also crashes, it ends with an error', async () => {
  const ended = startEndless()
  const first = await startedSelect([])
  process.kill(first, 'SIGKILL')
  const second = await startedSelect([first])
  process.kill(second, 'SIGKILL')
  expect(await ended).toBe('The engine stopped unexpectedly while it executed the SELECT.')
  expect(await selectProcesses()).toEqual([])
})

test('a SELECT ends soon after the server is killed', async () => {
  const run = {
    sql: endless,
    tables: [],
    params: {},
    format: 'CSV',
    memoryBytes: 600_000_000,
    inputBytes: 0,
    outputBytes: 1000,
    maxRows: 1,
  }
  const script = `
    import { findSandbox } from '@headwater/sandbox'
    import { runSelect } from '@headwater/sql'
    const { sandbox } = await findSandbox()
    const run = { ...${JSON.stringify(run)}, signal: new AbortController().signal, onCrash() {} }
    await runSelect((program) => sandbox.runProgram(program), run).next()`
  const server = spawn(process.execPath, ['--input-type=module', '-e', script])
  const id = await startedSelect([], server.pid)
  server.kill('SIGKILL')
  await once(server, 'exit')
  const commandLine = () => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
  try {
    await expect.poll(commandLine).toBe('')
  } finally {
    if ((await commandLine()) !== '') process.kill(id, 'SIGKILL')
  }
})
