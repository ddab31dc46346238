import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAuditRecords } from '@headwater/audit/contract'
import { createGroup, listGroups } from '@headwater/groups/contract'
import { putSecret } from '@headwater/secrets/contract'
import { CallError, refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask, type TestEvent } from '../../contract/index.ts'

let server: TestServer
let owner: Session
let reader: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  reader = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Scripts' } })
  await server.grantGroup({ groupName: 'Scripts', userName: reader.userName, access: 'R' })
})
afterAll(() => server.stop())

type Param = { name: string; [field: string]: unknown }

function bodyOf(
  script: string | string[],
  { params = [], ...more }: { params?: Param[]; [field: string]: unknown } = {},
) {
  const value = typeof script === 'string' ? script : script.join('\n')
  return {
    groupName: 'Scripts',
    definitionName: 'python-runner',
    params: [{ name: 'Script', valueType: 'SCRIPT', value }, ...params],
    ...more,
  }
}

function send(body: unknown, { session = owner, signal }: { session?: Session; signal?: AbortSignal } = {}) {
  return session.fetch('/mgmt/task/test', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Runs a script and returns the events of the response. Waits for the end of an earlier test run of the user. */
async function run(body: unknown, session = owner): Promise<TestEvent[]> {
  const response = await send(body, { session })
  const text = await response.text()
  if (response.status === 200)
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as TestEvent)
  throw new CallError(response.status, JSON.parse(text) as CallError['body'])
}

const printedIn = (events: TestEvent[]) =>
  events.flatMap((event) => (event.type === 'line' ? event.text : []))
const refused = async (body: unknown, session = owner) => {
  const { status, body: error } = await refusal(run(body, session))
  return [status, error.code]
}

/** Python code that calls the API; prints the status and message of errors. */
const calls = [
  'import json, os, urllib.error, urllib.parse, urllib.request',
  'def api(method, path, body=None, kind="application/json"):',
  '    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": kind}',
  '    data = body.encode() if body else None',
  '    try:',
  '        with urllib.request.urlopen(urllib.request.Request(os.environ["NG_API_ENDPOINT"] + path, data=data, headers=headers, method=method)) as response:',
  '            return json.load(response)',
  '    except urllib.error.HTTPError as error:',
  '        print(method, path.split("/")[1], error.code, json.load(error).get("message"))',
  'def key(reference): return "/mgmt/store/None/" + urllib.parse.quote(reference, safe="$")',
]

test('a script receives its sample; the response contains its output, the stored values and the result', async () => {
  const script = [
    ...calls,
    'print(os.environ["Text"], os.environ["Count"], os.environ["Default"], json.loads(os.environ["List"]))',
    'api("POST", key(os.environ["Sum"]), "3.5", "text/plain")',
    'print(api("GET", key(os.environ["Sum"]))["value"])',
    'api("POST", "/status", json.dumps({"status": "INFO", "message": "half done"}))',
  ]
  const params = [
    { name: 'Text', value: 'own' },
    { name: 'Count', valueType: 'NUMBER' },
    { name: 'Default', defaultValue: 'by default' },
    { name: 'List', valueType: 'JSON' },
    { name: 'Sum', type: 'OUTPUT' },
  ]
  const events = await run(bodyOf(script, { params, sample: { Text: 'ü', Count: 7, List: [1, 'b'] } }))
  expect(events[0]).toEqual({ type: 'started' })
  expect(printedIn(events).toSorted()).toEqual(['3.5', 'INFO: half done', "ü 7 by default [1, 'b']"])
  expect(events.at(-1)).toEqual({
    type: 'result',
    status: 'INFO',
    message: '',
    line: null,
    table: null,
    values: [{ name: 'Sum', value: '3.5' }],
    warnings: [],
    durationMs: expect.any(Number) as number,
  })
})

test('the module headwater reads the sample, and the result shows the values that it stores', async () => {
  const script = [
    'import headwater',
    'print(headwater.read_input("Text"), headwater.read_input("List"), headwater.read_input("Other"))',
    'headwater.write_output("Sum", {"a": [1, "ü"]})',
    'headwater.write_output("Note", "\\"quoted\\"")',
    'headwater.write_output("Text", 1)',
  ]
  const params = [
    { name: 'Text' },
    { name: 'List', valueType: 'JSON' },
    { name: 'Sum', type: 'OUTPUT' },
    { name: 'Note', type: 'OUTPUT' },
  ]
  const events = await run(bodyOf(script, { params, sample: { Text: 'ä', List: [1, 'b'] } }))
  expect(printedIn(events)[0]).toBe('ä [1,"b"] None')
  expect(events.at(-1)).toMatchObject({
    status: 'ERROR',
    message: 'ValueError: The task has no output “Text”. Its outputs are: Sum, Note.',
    line: 5,
    values: [
      { name: 'Sum', value: '{"a": [1, "ü"]}' },
      { name: 'Note', value: '"quoted"' },
    ],
  })
})

test.each([
  [
    ['import os', 'def total(rows):', '    return rows[3]', 'total([])'],
    'IndexError: list index out of range',
    3,
  ],
  [['x = 1', 'if x', '    pass'], expect.stringContaining('SyntaxError') as string, 2],
  [['import sys', 'sys.exit(4)'], 'The script ended with the exit code 4.', null],
])('an error in a script states the line that raised it (%#)', async (script, message, line) => {
  const events = await run(bodyOf(script))
  expect(events.at(-1)).toMatchObject({ type: 'result', status: 'ERROR', message, line })
})

test('a script can read with the access of the user but change nothing, and no run is stored', async () => {
  const before = (await owner.call(searchStatuses, { query: {} })).totalSize
  const events = await run(
    bodyOf([
      ...calls,
      'print([group["name"] for group in api("GET", "/file/group?size=1000")["items"] if group["name"] in ("Scripts", "New")])',
      'api("POST", "/file/group", json.dumps({"name": "New"}))',
      'api("POST", "/file", json.dumps({"groupName": "Scripts", "fileName": "a.csv", "fileType": "SOURCE"}))',
      'api("PUT", "/file/00000000-0000-4000-8000-000000000000/parts/1", "x", "application/octet-stream")',
      'api("POST", "/mgmt/task/test", "{}")',
    ]),
  )
  const refusedChange = '403 A test run reads data but changes none. Run the task to change data.'
  expect(printedIn(events)).toEqual([
    "['Scripts']",
    `POST file ${refusedChange}`,
    `POST file ${refusedChange}`,
    `PUT file ${refusedChange}`,
    'POST mgmt 403 Code of a run is not allowed to call this route. The API reference lists the routes that it can call.',
  ])
  expect(events.at(-1)).toMatchObject({ status: 'INFO' })
  expect((await owner.call(searchStatuses, { query: {} })).totalSize).toBe(before)
  expect((await owner.call(listGroups, { query: { query: 'New' } })).items).toEqual([])
})

test('the token of a script is valid only until its test run ends', async () => {
  const [token] = printedIn(await run(bodyOf('import os\nprint(os.environ["NG_API_AUTHTOKEN"][::-1])')))
  const response = await fetch(`${server.url}/file/group`, {
    headers: { Authorization: `Bearer ${token!.split('').toReversed().join('')}` },
  })
  expect(response.status).toBe(401)
})

test('a script receives the secrets that its inputs refer to; they are redacted in the output', async () => {
  await owner.call(putSecret, {
    params: { name: 'key' },
    body: { value: 'k-7c1f0e52', groupName: 'Scripts' },
  })
  const script = [
    ...calls,
    'print(os.environ["KEY"], os.environ["KEY"][::-1])',
    'api("POST", key("found"), os.environ["KEY"], "text/plain")',
    'raise ValueError(os.environ["KEY"])',
  ]
  const params = [{ name: 'KEY', valueType: 'SECRET' }]
  const events = await run(bodyOf(script, { params, sample: { KEY: 'key' } }))
  expect(printedIn(events)[0]).toBe('[secret] 25e0f1c7-k')
  expect(events.at(-1)).toMatchObject({
    status: 'ERROR',
    message: 'ValueError: [secret]',
    values: [{ name: 'found', value: '[secret]' }],
  })
  expect(JSON.stringify(events)).not.toContain('k-7c1f0e52')
  const missing = await run(bodyOf(script, { params, sample: { KEY: 'other' } }))
  expect(missing.at(-1)).toMatchObject({
    status: 'ERROR',
    message: expect.stringContaining('“other”, which does not exist') as string,
  })
})

test('a saved script by a different author does not receive a personal secret of the caller', async () => {
  const ben = await server.createUser({ role: 'Pipeline builder' })
  await server.grantGroup({ groupName: 'Scripts', userName: ben.userName, access: 'RW' })
  await ben.call(putSecret, { params: { name: 'personal' }, body: { value: 'secret of Ben' } })
  const body = bodyOf('import os\nprint(os.environ["KEY"][::-1])', {
    params: [{ name: 'KEY', valueType: 'SECRET', value: 'personal' }],
  })
  const { id } = await owner.call(createTask, { body: { ...body, name: 'of the owner' } as never })
  expect((await run({ ...body, taskId: id }, ben)).at(-1)).toMatchObject({
    status: 'ERROR',
    message: expect.stringContaining('“personal”, which does not exist') as string,
  })
  expect(printedIn(await run(body, ben))).toEqual(['neB fo terces'])
})

test('long output is reduced to its beginning and its end, which contains the error', async () => {
  const events = await run(bodyOf('for n in range(5000): print(n)\n1 / 0'))
  const lines = printedIn(events)
  expect(lines.slice(0, 1000)).toEqual(Array.from({ length: 1000 }, (_, n) => `${n}`))
  expect(lines).toHaveLength(1050)
  expect(lines.at(-1)).toBe('ZeroDivisionError: division by zero')
  expect(events.filter(({ type }) => type === 'omitted')).toHaveLength(1)
  expect(events.at(-1)).toMatchObject({ line: 2, message: 'ZeroDivisionError: division by zero' })
})

test('a test run requires the permissions for saving and running, and write access to the group and the task', async () => {
  const analyst = await server.createUser({ role: 'Analyst' })
  const body = bodyOf('print(1)')
  expect(await refused(body, analyst)).toEqual([403, 'forbidden'])
  expect(await refused(body, reader)).toEqual([403, 'taskGroupForbidden'])
  const stranger = await server.createUser({ role: 'Pipeline builder' })
  expect(await refused(body, stranger)).toEqual([400, 'taskGroupNotFound'])
  await reader.call(createGroup, { body: { name: 'Of the reader' } })
  const { id } = await owner.call(createTask, {
    body: { name: 'saved', groupName: 'Scripts', definitionName: 'python-runner' },
  })
  // Only users who can change a task can use its allowed hosts.
  const ofOther = bodyOf('print(1)', { taskId: id, groupName: 'Of the reader' })
  expect(await refused(ofOther, reader)).toEqual([403, 'taskGroupForbidden'])
  expect((await run(bodyOf('print(1)', { taskId: id }))).at(-1)).toMatchObject({ status: 'INFO' })
})

test('a user who can save tasks but not run them cannot start test runs', async () => {
  await server.running.platform.database.pool.query(
    `with author as (insert into roles (name) values ('Author') returning id)
     insert into role_entitlements (role_id, parent, resource, mode)
     select author.id, parent, resource, mode from author, role_entitlements join roles on roles.id = role_id
     where roles.name = 'Pipeline builder' and resource <> 'Creator'`,
  )
  const author = await server.createUser({ role: 'Author' })
  await server.grantGroup({ groupName: 'Scripts', userName: author.userName, access: 'RW' })
  const task = { name: 'of the author', groupName: 'Scripts', definitionName: 'python-runner' }
  expect(await author.call(createTask, { body: task })).toMatchObject({ version: 1 })
  const { status, body } = await refusal(run(bodyOf('print(1)'), author))
  expect([status, body.message]).toEqual([
    403,
    'You need write access to Science/Creator. Ask an administrator for access.',
  ])
})

test('invalid or too large tasks and samples are rejected before the script starts', async () => {
  const params = [{ name: 'Count', valueType: 'NUMBER' }]
  expect(await refused(bodyOf('print(1)', { params }))).toEqual([400, 'paramMissing'])
  expect(await refused(bodyOf('print(1)', { params, sample: { Count: 'many' } }))).toEqual([
    400,
    'paramInvalid',
  ])
  expect(await refused(bodyOf('print(1)', { params, sample: { Other: 1 } }))).toEqual([400, 'paramUnknown'])
  expect(await refused(bodyOf('print(1)', { sample: { Script: 'print(2)' } }))).toEqual([400, 'paramUnknown'])
  const reference = '${11111111-1111-4111-8111-111111111111}'
  expect(await refused(bodyOf('print(1)', { params: [{ name: 'Text', value: reference }] }))).toEqual([
    400,
    'paramInvalid',
  ])
  expect(await refused({ groupName: 'Scripts', definitionName: 'cron-trigger' })).toEqual([
    400,
    'notTestable',
  ])
  expect(await refused(bodyOf('#'.repeat(1_000_001)))).toEqual([400, 'invalidInput'])
  const large = { Text: 'x'.repeat(200_000) }
  expect(await refused(bodyOf('print(1)', { params: [{ name: 'Text' }], sample: large }))).toEqual([
    400,
    'paramInvalid',
  ])
  expect((await refused(bodyOf('#'.repeat(9_000_000))))[0]).toBe(413)
})

/** Reads a response until it contains a string. */
async function readUntil(response: Response, text: string): Promise<void> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder()
  let read = ''
  while (!read.includes(text)) {
    const { done, value } = await reader.read()
    if (done) throw new Error(`The response ended: ${read}`)
    read += decoder.decode(value, { stream: true })
  }
  reader.releaseLock()
}

const processesWith = (text: string) =>
  execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text))

test('a caller who disconnects stops the script and its processes, and can start the next test run', async () => {
  const program = 'sleep 86399.125'
  const script = [
    'import subprocess, time',
    `subprocess.Popen(${JSON.stringify(program.split(' '))})`,
    'print("ready", flush=True)',
    'time.sleep(3600)',
  ]
  const controller = new AbortController()
  const response = await send(bodyOf(script), { signal: controller.signal })
  await readUntil(response, 'ready')
  expect(processesWith(program)).not.toEqual([])
  expect(await refused(bodyOf('print(2)'))).toEqual([409, 'testInProgress'])
  controller.abort()
  await expect.poll(() => processesWith(program)).toEqual([])
  await expect
    .poll(async () => {
      const next = await send(bodyOf('print(2)'))
      return next.status === 200
        ? printedIn(
            (await next.text())
              .trim()
              .split('\n')
              .map((line) => JSON.parse(line) as TestEvent),
          )
        : []
    })
    .toEqual(['2'])
})

test('the audit log contains each test run', async () => {
  const query = { userName: owner.userName, route: 'testTask' }
  const records = async () => (await server.admin.call(listAuditRecords, { query })).items
  await run(bodyOf('print(1)'))
  await expect
    .poll(async () => (await records()).map(({ status, object }) => [status, object]))
    .toContainEqual([200, { groupName: 'Scripts' }])
})
