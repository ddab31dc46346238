import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { executeTask } from '@headwater/pipelines/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { getLog, listLogComponents } from '../contract/index.ts'
import type { Logs } from './index.ts'

let server: TestServer
let logs: Logs
let anna: Session
let ben: Session
let annaId: number

beforeAll(async () => {
  server = await startTestServer({ env: { HEADWATER_RUN_LOG_LINES: '5000', HEADWATER_RUN_LOG_MB: '1' } })
  logs = server.running.platform.logs
  anna = await server.createUser({ email: 'anna@example.com', role: 'Pipeline builder' })
  ben = await server.createUser({ email: 'ben@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  const account = await server.running.platform.accounts.findUserByName('anna@example.com')
  annaId = account!.userId
})
afterAll(() => server.stop())

async function newJob(
  ...components: string[]
): Promise<{ jobId: string; steps: { jobId: string; eId: string; component: string }[] }> {
  const { statuses } = server.running.platform
  const jobId = await statuses.startJob({ type: 'PIPELINE', name: `job ${randomUUID()}`, ownerId: annaId })
  const steps = []
  for (const component of components) {
    const eId = await statuses.addComponent(jobId, { component, status: 'RUNNING' })
    steps.push({ jobId, eId, component })
  }
  return { jobId, steps }
}

async function writeLines(
  step: { jobId: string; eId: string; component: string },
  lines: string[],
): Promise<void> {
  const writer = logs.open(step)
  for (const line of lines) writer.write(line, line.startsWith('!') ? 'stderr' : 'stdout')
  await writer.end()
}

const read = (session: Session, jobId: string, query: Record<string, unknown> = {}) =>
  session.call(getLog, { params: { jobId }, query: query as never })
const texts = async (jobId: string, query: Record<string, unknown> = {}) =>
  (await read(anna, jobId, query)).items.map(({ text }) => text)

test('SH-136 SH-137 SH-138 lines are stored with job, component and level, and can be filtered by each', async () => {
  const { jobId, steps } = await newJob('Load', 'Check')
  await writeLines(steps[0]!, ['one', 'WARNING:root:two', '!three'])
  await writeLines(steps[1]!, [
    'DEBUG:lib:four',
    '{"level": "error", "message": "five\\nsix", "e_id": "foreign"}',
  ])
  const page = await read(anna, jobId)
  expect(page).toMatchObject({ from: 0, totalSize: 6, lastLine: 6, isLimited: false })
  const { eId } = steps[0]!
  const other = steps[1]!.eId
  expect(page.items.map((line) => [line.line, line.eId, line.component, line.level, line.text])).toEqual([
    [1, eId, 'Load', 'INFO', 'one'],
    [2, eId, 'Load', 'WARN', 'root: two'],
    [3, eId, 'Load', 'ERROR', '!three'],
    [4, other, 'Check', 'DEBUG', 'lib: four'],
    [5, other, 'Check', 'ERROR', 'five'],
    [6, other, 'Check', 'ERROR', 'six'],
  ])
  expect(page.items[0]!.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/)
  expect(await texts(jobId, { component: 'Load' })).toEqual(['one', 'root: two', '!three'])
  expect(await texts(jobId, { component: 'Load', level: 'warning' })).toEqual(['root: two'])
  expect(await texts(jobId, { level: 'DEBUG,warn' })).toEqual(['root: two', 'lib: four'])
  expect(await texts(jobId, { eId: other, level: 'error' })).toEqual(['five', 'six'])
  expect((await anna.fetch(`/log/${jobId}?level=loud`)).status).toBe(400)
  const { items } = await anna.call(listLogComponents, { params: { jobId } })
  expect(items).toEqual([
    { eId, component: 'Load', lineCounts: { DEBUG: 0, INFO: 1, WARN: 1, ERROR: 1 } },
    { eId: other, component: 'Check', lineCounts: { DEBUG: 1, INFO: 0, WARN: 0, ERROR: 2 } },
  ])
})

test('pages, search and new lines are consistent with the whole log, for random filters', async () => {
  const { jobId, steps } = await newJob('a', 'b')
  const levels = ['DEBUG', 'INFO', 'WARN', 'ERROR']
  const all: { line: number; component: string; level: string; text: string }[] = []
  let seed = 7
  const random = (below: number) => (seed = (seed * 16_807) % 2_147_483_647) % below
  for (let part = 0; part < 12; part++) {
    const step = random(2)
    const lines = Array.from({ length: 1 + random(300) }, () => {
      const level = levels[random(4)]!
      const text = `l: Preis ${random(50)} ÄÖ ${random(1000)}`
      all.push({ line: all.length + 1, component: 'ab'[step]!, level, text })
      return `${level}:${text.replace('l: ', 'l:')}`
    })
    await writeLines(steps[step]!, lines)
  }
  for (let round = 0; round < 40; round++) {
    const query = {
      from: random(30) * random(30),
      size: 1 + random(200),
      ...(random(2) === 0 ? { after: random(all.length) } : {}),
      ...(random(2) === 0 ? { component: 'ab'[random(2)]! } : {}),
      ...(random(2) === 0 ? { level: levels[random(4)]! } : {}),
      ...(random(2) === 0 ? { query: `preis ${random(10)}` } : {}),
    }
    const matching = all.filter(
      (line) =>
        line.line > (query.after ?? 0) &&
        (query.component ?? line.component) === line.component &&
        (query.level ?? line.level) === line.level &&
        line.text.toLowerCase().includes(query.query ?? ''),
    )
    const page = await read(anna, jobId, query)
    expect([query, page.totalSize, page.lastLine]).toEqual([query, matching.length, all.length])
    expect(page.items).toMatchObject(matching.slice(query.from, query.from + query.size))
    expect(page.items).toHaveLength(matching.slice(query.from, query.from + query.size).length)
  }
})

test('steps that write concurrently lose no line and get consecutive numbers', async () => {
  const { jobId, steps } = await newJob('a', 'b', 'c', 'd')
  await Promise.all(
    steps.map((step, index) =>
      writeLines(
        step,
        Array.from({ length: 1200 }, (_, line) => `${index} ${line}`),
      ),
    ),
  )
  const items = []
  for (let from = 0; from < 4800; from += 1000)
    items.push(...(await read(anna, jobId, { from, size: 1000 })).items)
  expect(items.map(({ line }) => line)).toEqual(Array.from({ length: 4800 }, (_, index) => index + 1))
  for (const [index, { eId }] of steps.entries())
    expect(items.filter((line) => line.eId === eId).map(({ text }) => text)).toEqual(
      Array.from({ length: 1200 }, (_, line) => `${index} ${line}`),
    )
})

test('the lines and bytes of a log are limited; its last line states the limit', async () => {
  const note = 'The log of this run reached its limit of 5,000 lines or 1 MB. Later lines are not stored.'
  for (const [lines, stored] of [
    [Array.from({ length: 6000 }, (_, line) => `line ${line}`), 5000],
    [Array.from({ length: 300 }, () => 'x'.repeat(7999)), 125],
  ] as const) {
    const { jobId, steps } = await newJob('chatty', 'other')
    await writeLines(steps[0]!, lines)
    await writeLines(steps[1]!, ['too late'])
    const page = await read(anna, jobId, { from: stored - 1 })
    expect(page).toMatchObject({ totalSize: stored + 1, lastLine: stored + 1, isLimited: true })
    expect(page.items.map(({ level, text }) => [level, text])).toEqual([
      ['INFO', lines[stored - 1]],
      ['WARN', note],
    ])
  }
})

test('a log can be downloaded as text', async () => {
  const { jobId, steps } = await newJob('Load')
  await writeLines(steps[0]!, ['one', '!two', 'three'])
  expect(await (await anna.fetch(`/log/${jobId}?after=1000000000000000`)).json()).toMatchObject({ items: [] })
  const response = await anna.fetch(`/log/${jobId}/download?level=info`)
  expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="log-${jobId}.txt"`)
  expect(await response.text()).toMatch(/^\S+\tINFO\tLoad\tone\n\S+\tINFO\tLoad\tthree\n$/)
})

test('control characters, which a terminal would interpret, are stored as visible symbols', async () => {
  const { jobId, steps } = await newJob('Load')
  const record = JSON.stringify({ level: 'INFO', message: 'a\r\u001b[2Jb\nc' })
  await writeLines(steps[0]!, ['\u001b[31mred\u001b]0;title\u0007\u007f\u009b1m\tÄ', record])
  expect(await texts(jobId)).toEqual(['␛[31mred␛]0;title␇␡�1m\tÄ', 'a␍␛[2Jb', 'c'])
})

test('only users who can see a job can read its log; the log is deleted with the job', async () => {
  const { jobId, steps } = await newJob('Load')
  await writeLines(steps[0]!, ['one'])
  for (const path of ['', '/components', '/download']) {
    const status = async (session: Session, id = jobId) => (await session.fetch(`/log/${id}${path}`)).status
    expect([path, await status(anna), await status(server.admin), await status(ben)]).toEqual([
      path,
      200,
      200,
      404,
    ])
    expect([await status(anna, 'nonsense'), await status(anna, randomUUID())]).toEqual([404, 404])
  }
  const { pool } = server.running.platform.database
  await pool.query('delete from jobs where id = $1', [jobId])
  const left = await pool.query('select 1 from log_chunks where job_id = $1', [jobId])
  expect(left.rows).toEqual([])
  await writeLines(steps[0]!, ['the job is gone'])
})

test('the output of a script appears in the log while it runs, with its token redacted in every encoding', async () => {
  const script = [
    'import base64, json, logging, os, sys, time, urllib.parse, urllib.request',
    'token = os.environ["NG_API_AUTHTOKEN"]',
    'url = os.environ["NG_API_ENDPOINT"] + "/file/search?query=groupName%3DFlows%26name%3Dend.txt"',
    'request = urllib.request.Request(url, headers={"Authorization": "Bearer " + token})',
    'print("begins", flush=True)',
    'logging.warning("no price")',
    'print(token, base64.b64encode(("user:" + token).encode()).decode(), json.dumps({"t": token}), urllib.parse.quote(token))',
    'for piece in range(0, len(token), 7):',
    '    print(token[piece:piece + 7], end="", flush=True)',
    'print()',
    'print("ends", token[::-1], flush=True)',
    'while json.load(urllib.request.urlopen(request))["totalSize"] == 0: time.sleep(0.1)',
    'raise ValueError("no prices today")',
  ].join('\n')
  await anna.call(createTask, {
    body: {
      name: 'prints',
      groupName: 'Flows',
      definitionName: 'python-runner',
      params: [{ name: 'Script', value: script }],
    } as never,
  })
  const { jobId } = await anna.call(executeTask, { body: { taskName: 'prints', taskGroupName: 'Flows' } })
  await expect.poll(() => texts(jobId)).toContain('begins')
  const live = await anna.call(searchStatuses, { query: { jobId } })
  expect(live.items[0]!.status).toBe('RUNNING')
  await upload(anna, { groupName: 'Flows', fileName: 'end.txt' })
  await expect
    .poll(async () => (await anna.call(searchStatuses, { query: { jobId } })).items[0]!.endTime)
    .toBeDefined()
  const { items } = await read(anna, jobId)
  const lines = items.map(({ level, text }) => `${level} ${text}`)
  expect(lines).toContain('WARN root: no price')
  expect(lines.filter((line) => line.includes('ValueError: '))).toEqual(['ERROR ValueError: no prices today'])
  expect(lines.at(-1)).toBe('ERROR ValueError: no prices today')
  expect(lines).toContain('INFO [token]')
  expect(lines.find((line) => line.includes('"t"'))).toMatch(
    /^INFO \[token\] \S{6,9}\[token\]\S{0,3} \{"t": "\[token\]"\} \[token\]$/,
  )
  const reversed = / ends (\S+)$/.exec(lines.find((line) => line.includes('ends'))!)![1]!
  const token = reversed.split('').toReversed().join('')
  expect(lines.join('\n')).not.toContain(token.slice(0, 20))
  expect(new Set(items.map(({ component }) => component))).toEqual(new Set(['prints']))
})
