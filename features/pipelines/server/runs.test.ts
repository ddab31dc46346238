import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatNumber } from '@headwater/contract'
import { searchFiles } from '@headwater/files/contract'
import { getLog } from '@headwater/logs/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { referenceOf } from '@headwater/runs/contract'
import { createTask, searchTasks, updateTask } from '@headwater/tasks/contract'
import {
  approvePipeline,
  continuePipeline,
  createPipeline,
  declinePipeline,
  deletePipeline,
  executePipeline,
  executeTask,
  getStoredValue,
  listGeneratedValues,
  repeatPipeline,
  resumePipeline,
  saveGeneratedValue,
  stopPipeline,
  storeValue,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  await script('good', ['print("fine")'])
  await script('fails', ['raise ValueError("no")'])
  await script('endless', ['import time', 'time.sleep(600)'])
})
afterAll(() => server.stop())

/** Saves a Python script as a task. */
async function script(name: string, lines: string[], params: object[] = [], timeout = 60): Promise<void> {
  const script = { name: 'Script', value: lines.join('\n'), valueType: 'SCRIPT' }
  await owner.call(createTask, {
    body: {
      name,
      groupName: 'Flows',
      definitionName: 'python-runner',
      timeout,
      params: [script, ...params] as never,
    },
  })
}

interface Node {
  taskName: string
  taskGroup?: string
  /** Ids of the tasks before it; `id/branch` for a branch. */
  after?: string[]
  isPaused?: boolean
  onError?: 'skip'
  params?: { name: string; type?: 'INPUT' | 'OUTPUT'; value: string; mode?: 'expression' }[]
}

async function pipeline(name: string, nodes: Record<string, Node>): Promise<string> {
  const tasks = Object.entries(nodes).map(([id, { after, params, ...node }]) => ({
    id,
    taskReadableName: id,
    taskGroup: 'Flows',
    ...node,
    taskOverrides: { params: params ?? [] },
    prevTasks: (after ?? []).map((previous) => {
      const [before = '', branch] = previous.split('/')
      return { id: before, ...(branch === undefined ? {} : { branch: branch as 'then' | 'else' }) }
    }),
  }))
  const made = await owner.call(createPipeline, { body: { name, groupName: 'Flows', tasks } })
  return made.pipeline.id
}

async function run(pipelineId: string): Promise<string> {
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId },
    body: { pipelineId, details: { from: 'a test' } },
  })
  return jobId
}

async function jobOf(jobId: string, caller = owner): Promise<Job | undefined> {
  return (await caller.call(searchStatuses, { query: { jobId } })).items[0]
}

/** Waits until a job meets a condition, and returns it. */
async function until(jobId: string, condition: (job: Job) => boolean, caller = owner): Promise<Job> {
  for (let tries = 0; tries < 600; tries++) {
    const job = await jobOf(jobId, caller)
    if (job !== undefined && condition(job)) return job
    await sleep(100)
  }
  throw new Error(`The job did not meet the condition: ${JSON.stringify(await jobOf(jobId, caller))}`)
}
const ended = (jobId: string) => until(jobId, (job) => job.endTime !== undefined)
/** Reverses a token. Scripts print it backwards, because the server redacts it in their output. */
const reversed = (token: string) => token.split('').reverse().join('')
const steps = (job: Job) => job.componentStatuses.map(({ component, status }) => [component, status])

test('DP-529 SH-251 a run executes its tasks in the order of their links and reports a status for each', async () => {
  await script('one', ['print("first")'])
  const id = await pipeline('ordered', {
    c: { taskName: 'one', after: ['b'] },
    a: { taskName: 'one' },
    b: { taskName: 'one', after: ['a'] },
  })
  const reply = await owner.fetch(`/mgmt/pipeline/${id}/execute`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ pipelineId: id, details: { from: 'a test' } }),
  })
  const { jobId } = (await reply.json()) as { jobId: string }
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/)
  const job = await ended(jobId)
  expect(job).toMatchObject({ type: 'PIPELINE', name: 'ordered', status: 'INFO', version: 1, rootId: id })
  expect(steps(job)).toEqual([
    ['a', 'INFO'],
    ['b', 'INFO'],
    ['c', 'INFO'],
  ])
  const [first, second] = job.componentStatuses
  expect(first).toMatchObject({
    message: 'first',
    payload: { nodeId: 'a', pipelineId: id, groupName: 'Flows' },
  })
  expect(second?.prevEId).toBe(first?.eId)
  expect(job.latestStatus.message).toBe('All 3 tasks succeeded.')
})

test('the value of an output reaches the inputs that refer to it, through the value store of the run', async () => {
  const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')
  const call = [
    'import os, urllib.request, urllib.parse',
    'def store(key, value=None):',
    '    url = os.environ["NG_API_ENDPOINT"] + "/mgmt/store/" + os.environ["PIPELINE_ID"] + "/" + urllib.parse.quote(key, safe="$")',
    '    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": "text/plain"}',
    '    data = value.encode() if value else None',
    '    return urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers)).read().decode()',
  ]
  await script(
    'gives',
    [...call, 'store(os.environ["Output #1"], "42 % ä")'],
    [{ name: 'Output #1', type: 'OUTPUT', optional: true }],
  )
  await script('takes', [...call, 'print(store(os.environ["Input #1"]))'], [{ name: 'Input #1' }])
  const id = await pipeline('values', {
    takes: { taskName: 'takes', params: [{ name: 'Input #1', value: reference }] },
    gives: { taskName: 'gives', params: [{ name: 'Output #1', type: 'OUTPUT', value: reference }] },
  })
  const job = await ended(await run(id))
  expect(steps(job)).toEqual([
    ['gives', 'INFO'],
    ['takes', 'INFO'],
  ])
  expect(JSON.parse(job.componentStatuses[1]!.message)).toMatchObject({ key: reference, value: '42 % ä' })
})

test('the status contains the output of a script during and after its run', async () => {
  await script('talks', [
    'import json, os, time, urllib.request',
    'url = os.environ["NG_API_ENDPOINT"] + "/file/search?query=groupName%3DFlows%26name%3Dend.txt"',
    'request = urllib.request.Request(url, headers={"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"]})',
    'print("one")',
    'while json.load(urllib.request.urlopen(request))["totalSize"] == 0:',
    '    time.sleep(0.25)',
    '    print("tick", flush=True)',
    'print("last")',
  ])
  const jobId = await run(await pipeline('talking', { talks: { taskName: 'talks' } }))
  const inProgress = await until(jobId, (job) => job.componentStatuses[0]!.message.startsWith('one\ntick'))
  expect(inProgress.componentStatuses[0]!.status).toBe('RUNNING')
  await upload(owner, { groupName: 'Flows', fileName: 'end.txt' })
  const [step] = (await ended(jobId)).componentStatuses
  expect(step!.status).toBe('INFO')
  expect(step!.message).toMatch(/^one\n(tick\n)+last$/)
})

test('the status contains single and unfinished lines; a carriage return replaces the line', async () => {
  await script('waits', [
    'import time',
    'print("reading 3 files")',
    'print("\\r0 %\\r50 %", end="")',
    'time.sleep(600)',
  ])
  const id = await pipeline('waiting', { waits: { taskName: 'waits' } })
  const jobId = await run(id)
  await until(jobId, (job) => job.componentStatuses[0]!.message === 'reading 3 files\n50 %')
  await owner.call(stopPipeline, { body: { pipelineId: id, jobId } })
  expect((await ended(jobId)).componentStatuses[0]).toMatchObject({
    status: 'ERROR',
    message: `The run was stopped by ${owner.userName}.\nreading 3 files\n50 %`,
  })
  const lastLine = async () => (await owner.call(getLog, { params: { jobId }, query: {} })).items.at(-1)?.text
  await expect.poll(lastLine).toContain(`The run was stopped by ${owner.userName}.`)
})

test('the output of a script follows the reason why it ended', async () => {
  const ends: [string, string, RegExp][] = [
    ['pass', 'INFO', /^3 of 4$/],
    ['raise PythonStepWarnException("One is missing.")', 'WARN', /^One is missing\.\n3 of 4\nTraceback/],
    ['raise ValueError("no price")', 'ERROR', /^ValueError: no price\n3 of 4\nTraceback/],
    ['import sys; sys.exit(3)', 'ERROR', /^The script ended with the exit code 3\.\n3 of 4$/],
    ['import time; time.sleep(600)', 'ERROR', /^The script exceeded its timeout of 5 seconds\. .*\n3 of 4$/],
    ['import os; os.kill(os.getpid(), 9)', 'ERROR', /^The script was stopped by the system\.\n3 of 4$/],
  ]
  for (const [index, [end, status, message]] of ends.entries()) {
    const lines = ['class PythonStepWarnException(Exception): pass', 'print("3 of 4")', end]
    const name = `ends ${index}`
    // The timeout includes the start of the script, which can take more than a second on a busy machine.
    await script(name, lines, [], index === 4 ? 5 : 60)
    const { jobId } = await owner.call(executeTask, { body: { taskName: name, taskGroupName: 'Flows' } })
    const [step] = (await ended(jobId)).componentStatuses
    expect([end, step!.status]).toEqual([end, status])
    expect(step!.message).toMatch(message)
  }
})

test('the run token is redacted in all statuses', async () => {
  await script('tells', [
    'import json, os, sys, urllib.request',
    'token = os.environ["NG_API_AUTHTOKEN"]',
    'print(dict(os.environ))',
    'print("x" * 7950 + token)',
    'print(token[:40], end="")',
    'print(token[40:])',
    'headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json", "X-KH-E-ID": "header " + token}',
    'def send(**body):',
    '    data = json.dumps({"status": "INFO", "jobId": os.environ["JOBID"], **body}).encode()',
    '    urllib.request.urlopen(urllib.request.Request(os.environ["NG_API_ENDPOINT"] + "/status", data=data, headers=headers))',
    'send(message="with " + token, eId="e " + token, componentName="own " + token, className=token, groupName="g" + token)',
    'send(componentName="other")',
    'open("/tmp/token", "w").write(token)',
    'print(token.encode("utf-16-le").decode())',
    'print(len(token), token[::-1])',
    'print("the end", flush=True)',
    'raise ValueError(token)',
  ])
  const { jobId } = await owner.call(executeTask, { body: { taskName: 'tells', taskGroupName: 'Flows' } })
  const job = await ended(jobId)
  const { message } = job.componentStatuses[0]!
  const token = reversed(/^92 (\S{92})$/m.exec(message)![1]!)
  expect(message).toMatch(/^ValueError: \[token\]\n/)
  expect(message).toMatch(/\n\[token\]\n\[token\]\n92 /)
  expect(job.componentStatuses.slice(1)).toMatchObject([
    {
      message: 'with [token]',
      eId: 'e [token]',
      component: 'own [token]',
      payload: { className: '[token]', groupName: 'g[token]' },
    },
    { eId: 'header [token]', component: 'other' },
  ])
  expect(JSON.stringify(job)).not.toContain(token)
  expect(JSON.stringify(job)).not.toContain(token.slice(0, 20))
})

test('a failed task ends the run with its message; later tasks remain unexecuted', async () => {
  await script('bad', ['print("before")', 'raise ValueError("no prices today")'])
  const id = await pipeline('failing', {
    good: { taskName: 'good' },
    bad: { taskName: 'bad', after: ['good'] },
    after: { taskName: 'good', after: ['bad'] },
  })
  const job = await ended(await run(id))
  expect(job.status).toBe('ERROR')
  expect(steps(job)).toEqual([
    ['good', 'INFO'],
    ['bad', 'ERROR'],
    ['after', 'UNEXECUTED'],
  ])
  expect(job.componentStatuses[1]!.message).toContain('ValueError: no prices today')
  expect(job.latestStatus.message).toContain('“bad”')
})

test('the owner can stop a run: the script ends and no other task starts', async () => {
  const id = await pipeline('stopped', {
    a: { taskName: 'endless' },
    b: { taskName: 'endless', after: ['a'] },
  })
  const jobId = await run(id)
  await until(jobId, (job) => job.componentStatuses[0]?.status === 'RUNNING')
  expect((await refusal(stranger.call(stopPipeline, { body: { jobId } }))).status).toBe(404)
  await owner.call(stopPipeline, { body: { pipelineId: id, jobId } })
  const job = await ended(jobId)
  const stopped = `The run was stopped by ${owner.userName}.`
  expect([job.status, job.latestStatus.message]).toEqual(['ERROR', stopped])
  expect(job.componentStatuses[1]?.message).toBe(stopped)
  expect(steps(job)).toEqual([
    ['a', 'ERROR'],
    ['b', 'UNEXECUTED'],
  ])
  expect((await refusal(owner.call(stopPipeline, { body: { jobId } }))).status).toBe(404)
})

test('DP-531 SH-253 a run pauses before a paused task until it is continued', async () => {
  const id = await pipeline('pausing', {
    a: { taskName: 'good' },
    b: { taskName: 'good', after: ['a'], isPaused: true },
  })
  const jobId = await run(id)
  const paused = await until(jobId, (job) => job.status === 'PAUSED')
  expect(steps(paused)).toEqual([
    ['a', 'INFO'],
    ['b', 'PAUSED'],
  ])
  expect((await refusal(stranger.call(continuePipeline, { body: { jobId } }))).status).toBe(404)
  await owner.call(continuePipeline, { body: { userName: owner.userName, jobId } })
  expect((await ended(jobId)).status).toBe('INFO')
  expect((await refusal(owner.call(continuePipeline, { body: { jobId } }))).status).toBe(404)
})

test('stopping ends a paused run; deleting a pipeline ends its runs', async () => {
  const id = await pipeline('forgotten', { a: { taskName: 'good', isPaused: true } })
  const [first, second] = [await run(id), await run(id)]
  for (const jobId of [first, second]) await until(jobId, (job) => job.status === 'PAUSED')
  await owner.call(stopPipeline, { body: { jobId: first } })
  expect((await ended(first)).status).toBe('ERROR')
  await owner.call(deletePipeline, { params: { pipelineId: id } })
  expect((await ended(second)).status).toBe('ERROR')
})

test('DP-399 IN-369 a single task runs with parameters, in the requested version; only its owner can see the run', async () => {
  await script('greets', ['import os', 'print("Hello " + os.environ["Whom"])'], [{ name: 'Whom' }])
  const call = { taskName: 'greets', taskGroupName: 'Flows', taskVersion: 1, withOpenAiKey: false }
  const { jobId } = await owner.call(executeTask, {
    body: { ...call, params: [{ name: 'Whom', value: 'Brent' }] },
  })
  const job = await ended(jobId)
  expect(job.componentStatuses[0]).toMatchObject({
    component: 'greets',
    status: 'INFO',
    message: 'Hello Brent',
  })
  expect(await jobOf(jobId, stranger)).toBeUndefined()
  const { items } = await owner.call(searchTasks, { query: { query: 'name=greets' } })
  const { name, groupName, definitionName, params } = items[0]!
  const code = { name: 'Script', value: 'print("newer")', valueType: 'SCRIPT' as const }
  const newer = [code, ...params.filter((param) => param.name !== 'Script')]
  await owner.call(updateTask, {
    params: { taskId: items[0]!.id },
    body: { version: 1, taskInput: { name, groupName, definitionName, params: newer } },
  })
  const messageOf = async (taskVersion: number | string) => {
    const body = { ...call, taskVersion, params: [{ name: 'Whom', value: 'WTI' }] }
    const started = await owner.call(executeTask, { body })
    return (await ended(started.jobId)).componentStatuses[0]!.message
  }
  expect([await messageOf(1), await messageOf('latest')]).toEqual(['Hello WTI', 'newer'])
  const wrong: [object, number, string][] = [
    [{ params: [] }, 400, 'paramMissing'],
    [{ params: [{ name: 'Who', value: 'x' }] }, 400, 'paramUnknown'],
    [{ taskName: 'nobody' }, 404, 'taskNotFound'],
    [{ withOpenAiKey: true }, 409, 'noOpenAiKey'],
  ]
  for (const [change, status, code] of wrong) {
    const error = await refusal(owner.call(executeTask, { body: { ...call, ...change } }))
    expect([error.status, error.body.code]).toEqual([status, code])
  }
  expect((await refusal(stranger.call(executeTask, { body: call }))).status).toBe(404)
})

test('users who run a task, on its own or in a pipeline, cannot replace its script', async () => {
  const { pool } = server.running.platform.database
  const analyst = await server.createUser({ role: 'Analyst' })
  await server.grantGroup({ groupName: 'Flows', userName: analyst.userName, access: 'RW' })
  await script('fixed', ['print("its own")'])
  const task = { taskName: 'fixed', taskGroupName: 'Flows' }
  const params = [{ name: 'Script', value: 'print("another")' }]
  const tasks = [{ id: 'a', taskReadableName: 'a', taskName: 'fixed', taskGroup: 'Flows' }]
  const made = await analyst.call(createPipeline, { body: { name: 'kept', groupName: 'Flows', tasks } })
  const { id } = made.pipeline
  await pool.query(
    `update item_versions set content = jsonb_set(content, '{tasks,0,taskOverrides,params}', $2) where item_id = $1`,
    [id, JSON.stringify(params.map((param) => ({ ...param, type: 'INPUT' })))],
  )
  const brought = {
    name: 'brought',
    groupName: 'Flows',
    tasks: [{ ...tasks[0]!, taskOverrides: { params } }],
  }
  for (const refused of [
    await refusal(analyst.call(executeTask, { body: { ...task, params } })),
    await refusal(analyst.call(createPipeline, { body: brought })),
    await refusal(analyst.call(executePipeline, { params: { pipelineId: id }, body: {} })),
  ])
    expect([refused.status, refused.body.code]).toEqual([400, 'scriptGiven'])
  const { jobId } = await analyst.call(executeTask, {
    body: { ...task, params: [{ name: 'Script', value: '' }] },
  })
  const job = await until(jobId, ({ status }) => status === 'INFO', analyst)
  expect(job.componentStatuses[0]!.message).toBe('its own')
})

const reference = (number: number) =>
  referenceOf(`${String(number).padStart(8, '0')}-0d43-4a43-9e01-0a1d2c3b4e5f`)

test('a run that has reached its limit of values can change values but cannot add one', async () => {
  const pipelineId = await pipeline('full', { a: { taskName: 'good', isPaused: true } })
  const jobId = await run(pipelineId)
  await until(jobId, ({ status }) => status === 'PAUSED')
  const store = (key: string, body: string) => owner.call(storeValue, { params: { pipelineId, key }, body })
  for (let n = 0; n < 200; n++) await store(reference(n), 'first')
  await store(reference(7), 'second')
  const stored = await owner.call(getStoredValue, { params: { pipelineId, key: reference(7) } })
  expect(stored).toEqual({ dataStorageId: jobId, key: reference(7), value: 'second' })
  const error = await refusal(store(reference(200), 'first'))
  expect([error.status, error.body.code]).toEqual([409, 'tooManyValues'])
  await owner.call(stopPipeline, { body: { jobId } })
})

test('DP-405 DP-536 a value under a reference belongs to its run; a value under any other name belongs to the pipeline and outlives the run', async () => {
  const pipelineId = await pipeline('keeps', { a: { taskName: 'good', isPaused: true } })
  const params = { pipelineId }
  const [first, second] = [await run(pipelineId), await run(pipelineId)]
  for (const [jobId, value] of [
    [first, 'of the first'],
    [second, 'of the second'],
  ] as const) {
    await owner.call(saveGeneratedValue, { params, body: { jobId, pipelineId, name: reference(1), value } })
    await owner.call(saveGeneratedValue, { params, body: { jobId, pipelineId, name: 'state', value } })
  }
  const listed = async (jobId: string) =>
    (await owner.call(listGeneratedValues, { params, query: { jobId } })).items
  expect(await listed(first)).toEqual([
    { jobId: first, pipelineId, name: reference(1), value: 'of the first' },
    { jobId: first, pipelineId, name: 'state', value: 'of the second' },
  ])
  expect((await listed(second))[0]!.value).toBe('of the second')
  // A reference is exactly a UUID in braces after a dollar sign. Any other string is a name.
  const almost = '${1234}'
  await owner.call(storeValue, { params: { pipelineId, key: almost }, body: 'shared' })
  for (const jobId of [first, second]) await owner.call(stopPipeline, { body: { jobId } })
  await ended(first)
  const valueOf = (key: string) => owner.call(getStoredValue, { params: { pipelineId, key } })
  expect([(await valueOf('state')).value, (await valueOf(almost)).value]).toEqual(['of the second', 'shared'])

  const late = await refusal(
    owner.call(saveGeneratedValue, { params, body: { jobId: first, name: reference(1), value: 'late' } }),
  )
  expect([late.status, late.body.code]).toEqual([404, 'runNotFound'])
  const unknown = await refusal(valueOf('other'))
  expect([unknown.status, unknown.body.message]).toEqual([404, expect.stringContaining('“other”')])
  const noRun = await refusal(
    owner.call(getStoredValue, { params: { pipelineId: 'None', key: reference(1) } }),
  )
  expect([noRun.status, noRun.body.code]).toEqual([404, 'noRunForValue'])
  const noPipeline = await refusal(
    owner.call(getStoredValue, { params: { pipelineId: first, key: 'state' } }),
  )
  expect([noPipeline.status, noPipeline.body.code]).toEqual([404, 'pipelineNotFound'])
  expect(
    (await refusal(stranger.call(getStoredValue, { params: { pipelineId, key: 'state' } }))).status,
  ).toBe(404)
  expect((await refusal(stranger.call(listGeneratedValues, { params, query: {} }))).status).toBe(404)
})

test('the processor time of a script is limited to its timeout times the number of processors', async () => {
  await script('asks', ['import resource', 'print(resource.getrlimit(resource.RLIMIT_CPU)[0])'])
  await script('spends', ['import os, signal', 'os.kill(os.getpid(), signal.SIGXCPU)'])
  const messageOf = async (taskName: string) => {
    const { jobId } = await owner.call(executeTask, { body: { taskName, taskGroupName: 'Flows' } })
    return (await ended(jobId)).componentStatuses[0]!.message
  }
  const seconds = 60 * availableParallelism()
  expect(await messageOf('asks')).toBe(String(seconds))
  expect(await messageOf('spends')).toContain(`limit of ${formatNumber(seconds)} seconds of processor time`)
})

test('a run with a value that is too long for its script reports the value and the limit', async () => {
  await script('reads', ['print(1)'], [{ name: 'Table' }])
  const params = [{ name: 'Table', value: 'x'.repeat(150_000) }]
  const { jobId } = await owner.call(executeTask, {
    body: { taskName: 'reads', taskGroupName: 'Flows', params },
  })
  expect((await ended(jobId)).componentStatuses[0]).toMatchObject({
    status: 'ERROR',
    message:
      '“Table” has 150,000 bytes; a script can receive at most 128,000 in one value. Store larger values in a file in the data lake that the script reads.',
  })
})

test('user code has the access of the user who started the run, except to accounts, and only until the run ends', async () => {
  await script('looks', [
    'import os, urllib.request, urllib.error, json',
    'def get(path, method="GET", data=None):',
    '    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
    '    try:',
    '        return urllib.request.urlopen(urllib.request.Request(os.environ["NG_API_ENDPOINT"] + path, data=data, method=method, headers=headers)).status',
    '    except urllib.error.HTTPError as error:',
    '        return error.code',
    'answers = [get("/file/group"), get("/auth/apiKeys", "POST", b\'{"label":"kept"}\'), get("/auth/users"), get("//auth/login")]',
    'answers += [get("/mgmt/task/execute", "POST", b"{}"), get("/mgmt/pipeline", "POST", b"{}"), get("/insights/share", "POST", b"{}"), get("/file/group/Flows", "DELETE")]',
    'answers += [get("/dataprep/00000000-0000-4000-8000-000000000000/execute", "POST", b"{}")]',
    'print(json.dumps(answers + [os.environ["NG_API_AUTHTOKEN"][::-1]]))',
  ])
  const { jobId } = await owner.call(executeTask, {
    body: { taskName: 'looks', taskGroupName: 'Flows' },
  })
  const job = await ended(jobId)
  const [groups, ...others] = JSON.parse(job.componentStatuses[0]!.message) as unknown[]
  const token = reversed(others.pop() as string)
  expect([groups, ...others]).toEqual([200, 403, 403, 403, 403, 403, 403, 403, 403])
  const late = await fetch(`${server.url}/file/group`, {
    headers: { Authorization: `Bearer ${token}` },
  })
  expect(late.status).toBe(401)
})

test('upload and download URLs of user code expire with the run', async () => {
  await script('leaves', [
    'import json, os, urllib.request',
    'def ask(path, body=None):',
    '    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
    '    data = json.dumps(body).encode() if body else None',
    '    return urllib.request.urlopen(urllib.request.Request(os.environ["NG_API_ENDPOINT"] + path, data, headers))',
    'def announce(name):',
    '    body = {"groupName": "Flows", "fileName": name, "fileType": "SOURCE", "fields": []}',
    '    return json.loads(ask("/file", body).read())',
    'made = announce("within.txt")',
    'urllib.request.urlopen(urllib.request.Request(made["location"], b"within", method="PUT"))',
    'read = ask("/file/" + made["fileId"]).headers["Location"]',
    'assert urllib.request.urlopen(read).read() == b"within"',
    'print(json.dumps([announce("after.txt")["location"], read]))',
  ])
  const { jobId } = await owner.call(executeTask, { body: { taskName: 'leaves', taskGroupName: 'Flows' } })
  const { message } = (await ended(jobId)).componentStatuses[0]!
  const [toSend, toRead] = (JSON.parse(message) as string[]).map((address) => {
    const { pathname, search } = new URL(address)
    return server.url + pathname + search
  })
  const sent = await fetch(toSend!, { method: 'PUT', body: 'written after the run has ended' })
  expect([sent.status, (await fetch(toRead!)).status]).toEqual([403, 403])
  const { items } = await owner.call(searchFiles, { query: { query: 'groupName=Flows&name=*.txt' } })
  expect(items.map(({ fileName }) => fileName)).not.toContain('after.txt')
})

test('a user has at most 20 waiting or running runs', async () => {
  const busy = await server.createUser({ role: 'Pipeline builder' })
  await busy.call(createGroup, { body: { name: 'Busy' } })
  const { pipeline: made } = await busy.call(createPipeline, {
    body: {
      name: 'pauses',
      groupName: 'Busy',
      tasks: [
        {
          id: 'a',
          taskReadableName: 'a',
          taskName: 'cron-trigger',
          isPaused: true,
          taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
        },
      ],
    },
  })
  const start = () => busy.call(executePipeline, { params: { pipelineId: made.id }, body: {} })
  const started = await Promise.allSettled(Array.from({ length: 25 }, start))
  expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  expect((await refusal(start())).status).toBe(429)
})

test('a script with a message that PostgreSQL cannot store runs only once', async () => {
  await script('zero', ['import os', 'print("a" + chr(0) + os.environ["EID"])'])
  const { jobId } = await owner.call(executeTask, { body: { taskName: 'zero', taskGroupName: 'Flows' } })
  const job = await ended(jobId)
  expect([job.status, job.componentStatuses[0]!.message]).toEqual([
    'INFO',
    `a${job.componentStatuses[0]!.eId}`,
  ])
})

test('a script with a long line that is cut at an emoji runs only once', async () => {
  await script('emoji', [
    'import os',
    'print(os.environ["EID"])',
    'print("x" * 7999 + "\\U0001F600" + "end")',
  ])
  const { jobId } = await owner.call(executeTask, { body: { taskName: 'emoji', taskGroupName: 'Flows' } })
  const job = await ended(jobId)
  expect(job.status).toBe('INFO')
  const { message } = job.componentStatuses[0]!
  expect(message).toContain(`${'x'.repeat(7999)} … 5 more characters`)
  expect(message).not.toContain('started again')
})

test('DP-530 SH-252 runs of one user execute concurrently and can be stopped individually', async () => {
  const id = await pipeline('twice', { a: { taskName: 'endless' }, b: { taskName: 'good', after: ['a'] } })
  const [first, second] = [await run(id), await run(id)]
  for (const jobId of [first, second]) await until(jobId, (job) => job.status === 'RUNNING')
  await owner.call(stopPipeline, { body: { pipelineId: id, jobId: second } })
  expect((await ended(second)).latestStatus.message).toBe(`The run was stopped by ${owner.userName}.`)
  expect((await jobOf(first))?.status).toBe('RUNNING')
  await owner.call(stopPipeline, { body: { pipelineId: id, jobId: first } })
  await ended(first)
})

test('DP-528 DP-532 DP-533 SH-254 SH-255 a paused run can be resumed with edited files and decisions', async () => {
  await script('edits', [
    'import os, json, urllib.request',
    'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"]}',
    'url = os.environ["NG_API_ENDPOINT"] + "/file/search?query=groupName%3DFlows%26name%3Dlimits.txt"',
    'found = json.loads(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read())["items"]',
    'url = os.environ["NG_API_ENDPOINT"] + "/file/" + found[0]["fid"]',
    'read = urllib.request.urlopen(urllib.request.Request(url, headers=headers)).headers["Location"]',
    'print(urllib.request.urlopen(read).read().decode())',
  ])
  const id = await pipeline('decides', {
    a: { taskName: 'good', isPaused: true },
    b: { taskName: 'edits', after: ['a'], isPaused: true },
  })
  const start = async () => {
    const jobId = await run(id)
    await until(jobId, ({ status }) => status === 'PAUSED')
    return jobId
  }
  const { userName } = owner
  const approval = { action: 'APPROVE', approveTime: '2026-11-24T10:00:00', userName } as const

  const resumed = await start()
  await owner.call(resumePipeline, { body: { jobId: resumed, userName, changes: [approval] } })
  await until(
    resumed,
    ({ status, componentStatuses }) => status === 'PAUSED' && componentStatuses[0]!.status === 'INFO',
  )
  const edit = { action: 'FILE_EDIT', payload: { fileName: 'limits.txt', content: 'max = 7' } } as const
  await owner.call(resumePipeline, { body: { jobId: resumed, userName, changes: [edit, approval] as never } })
  const job = await ended(resumed)
  expect([job.status, job.componentStatuses[1]!.message]).toEqual(['INFO', 'max = 7'])

  const declined = await start()
  await owner.call(resumePipeline, {
    body: { jobId: declined, userName, changes: [{ ...approval, action: 'DECLINE' }] },
  })
  expect((await ended(declined)).latestStatus.message).toBe(`“a”: ${userName} declined the task.`)

  const [continued, approved, refused] = [await start(), await start(), await start()]
  await owner.call(continuePipeline, { body: { userName, jobId: continued } })
  await owner.call(approvePipeline, { body: { jobId: approved, nodeId: 'a' } })
  await owner.call(declinePipeline, { body: { jobId: refused } })
  for (const jobId of [continued, approved])
    await until(jobId, ({ componentStatuses }) => componentStatuses[0]!.status === 'INFO')
  expect((await ended(refused)).status).toBe('ERROR')
  await until(approved, ({ status }) => status === 'PAUSED')
  const wrongNode = await refusal(owner.call(approvePipeline, { body: { jobId: approved, nodeId: 'a' } }))
  expect([wrongNode.status, wrongNode.body.code]).toEqual([409, 'runNotPaused'])
  for (const call of [approvePipeline, declinePipeline, resumePipeline, repeatPipeline] as const)
    expect((await refusal(stranger.call(call as never, { body: { jobId: approved } } as never))).status).toBe(
      404,
    )
  for (const jobId of [continued, approved]) await owner.call(stopPipeline, { body: { jobId } })

  // A rejected request edits no file.
  const running = await run(await pipeline('running', { a: { taskName: 'endless' } }))
  await until(running, ({ componentStatuses }) => componentStatuses[0]?.status === 'RUNNING')
  const versions = async () =>
    (await owner.call(searchFiles, { query: { query: 'groupName=Flows&name=limits.txt' } })).totalSize
  const before = await versions()
  const late = await refusal(
    owner.call(resumePipeline, { body: { jobId: running, changes: [edit] as never } }),
  )
  expect([late.status, late.body.code, await versions()]).toEqual([409, 'runNotPaused', before])
  await owner.call(stopPipeline, { body: { jobId: running } })

  const wrong = await refusal(
    owner.call(resumePipeline, { body: { jobId: approved, changes: [{ action: 'DELETE' }] as never } }),
  )
  expect([wrong.status, wrong.body.validationErrors?.[0]?.field]).toEqual([400, 'changes[0].action'])
})

test('DP-533 tasks that have not started use the edited version of a file, whether it comes from a task or was chosen as an input', async () => {
  const fixed = { groupName: 'Flows', fileName: 'fixed.csv', content: 'a\n1\n' }
  const { fileId } = await upload(owner, fixed)
  const value = JSON.stringify({ id: fileId, name: 'fixed.csv', groupName: 'Flows' })
  const passed = referenceOf('33333333-3333-4333-8333-333333333333')
  const check = (file: string, after: string[], isPaused = false): Node => ({
    taskName: 'check-file',
    taskGroup: '',
    after,
    isPaused,
    params: [
      { name: 'File to check', value: file },
      { name: 'Columns', value: 'b' },
    ],
  })
  const id = await pipeline('edited files', {
    store: {
      taskName: 'store-file',
      taskGroup: '',
      params: [
        { name: 'Content', value: 'text' },
        { name: 'Text', value: 'a\n1\n' },
        { name: 'Group', value: 'Flows' },
        { name: 'File name', value: 'passed.csv' },
        { name: 'File', type: 'OUTPUT', value: passed },
      ],
    },
    linked: check(passed, ['store'], true),
    fixed: check(value, ['linked'], true),
  })
  const jobId = await run(id)
  await until(jobId, ({ status }) => status === 'PAUSED')
  const { items } = await owner.call(listGeneratedValues, { params: { pipelineId: id }, query: { jobId } })
  const passedOn = { fileId: (JSON.parse(items[0]!.value) as { id: string }).id }
  const edit = (fileName: string, more: object) =>
    ({ action: 'FILE_EDIT', payload: { fileName, content: 'b\n2\n', ...more } }) as never
  const resume = (...changes: never[]) =>
    owner.call(resumePipeline, { body: { jobId, userName: owner.userName, changes } })
  const approve = (nodeId: string) => ({ action: 'APPROVE', nodeId }) as never

  const rejected = await refusal(
    resume(edit('series.csv', { fileType: 'NCSV', content: 'no date\n1\n' }), approve('linked')),
  )
  expect([rejected.status, rejected.body.code]).toEqual([400, 'editRejected'])
  expect(rejected.body.message).toMatch(
    /^The edited file series\.csv was rejected, and the run is still paused: ./,
  )
  await resume(edit('passed.csv', passedOn), approve('linked'))
  await until(jobId, ({ componentStatuses }) => componentStatuses[1]!.status === 'INFO')
  const outdated = await refusal(resume(edit('passed.csv', passedOn), approve('fixed')))
  expect([outdated.status, outdated.body.code]).toEqual([409, 'notNewestVersion'])
  await resume(edit('fixed.csv', { fileId }), approve('fixed'))
  const job = await ended(jobId)
  const ofTasks = job.componentStatuses.filter(({ payload }) => payload.nodeId !== undefined)
  expect([job.status, ...ofTasks.map(({ message }) => message)]).toEqual([
    'INFO',
    expect.stringMatching(/^Stored passed\.csv/),
    'All checks passed for 1 row.',
    'All checks passed for 1 row.',
  ])
})

test('DP-534 a run can be executed again: all tasks, the failed tasks, or one task and the tasks after it', async () => {
  await script('marks', ['import os, time', 'print(os.environ["EID"])'])
  const id = await pipeline('repeats', {
    a: { taskName: 'marks' },
    b: { taskName: 'marks', after: ['a'] },
    bad: { taskName: 'fails', after: ['a'] },
  })
  const first = await ended(await run(id))
  const messages = (job: Job) => job.componentStatuses.map(({ message }) => message)
  const repeat = async (body: object) => {
    const { jobId } = await owner.call(repeatPipeline, { body: { jobId: first.jobId, ...body } })
    return ended(jobId)
  }
  const all = await repeat({})
  expect([all.status, all.name, all.rootId]).toEqual(['ERROR', 'repeats', id])
  expect(messages(all)[0]).toBe(all.componentStatuses[0]!.eId)
  const failed = await repeat({ failedOnly: true })
  expect(messages(failed).slice(0, 1)).toEqual(messages(first).slice(0, 1))
  expect(failed.componentStatuses[2]!.status).toBe('ERROR')
  const one = await repeat({ fromNodeId: 'b' })
  expect(messages(one)[0]).toBe(messages(first)[0])
  expect(messages(one)[1]).toBe(one.componentStatuses[1]!.eId)
  for (const [body, status] of [
    [{ fromNodeId: 'c' }, 400],
    [{ jobId: id }, 404],
  ] as const)
    expect(
      (await refusal(owner.call(repeatPipeline, { body: { jobId: first.jobId, ...body } }))).status,
    ).toBe(status)
})

test('the response to a start can wait for the run to end', async () => {
  const responseTo = async (nodes: Record<string, Node>, waitSeconds: number) => {
    const pipelineId = await pipeline(`waits for ${Object.keys(nodes).join()}`, nodes)
    const started = await owner.call(executePipeline, { params: { pipelineId }, body: { waitSeconds } })
    return [started.status, (await jobOf(started.jobId))?.status]
  }
  expect(await responseTo({ good: { taskName: 'good' } }, 30)).toEqual(['INFO', 'INFO'])
  expect(await responseTo({ bad: { taskName: 'fails' } }, 30)).toEqual(['ERROR', 'ERROR'])
  expect(await responseTo({ held: { taskName: 'good', isPaused: true } }, 30)).toEqual(['PAUSED', 'PAUSED'])
  expect((await responseTo({ endless: { taskName: 'endless' } }, 0.2))[0]).toBe('RUNNING')
})

test('a failed branch does not change the statuses of the other', async () => {
  const id = await pipeline('branches', {
    bad: { taskName: 'fails', onError: 'skip' },
    below: { taskName: 'good', after: ['bad'] },
    other: { taskName: 'good' },
  })
  const job = await ended(await run(id))
  expect(steps(job)).toEqual([
    ['bad', 'ERROR'],
    ['below', 'UNEXECUTED'],
    ['other', 'INFO'],
  ])
  expect(job.status).toBe('WARN')
  // The message of the run is the first line; the output of the script is only in its task.
  expect(job.latestStatus.message).toBe('“bad”: ValueError: no')
})

test('a Branch task continues with the branch that its condition selects; repetitions take the same branch', async () => {
  const text = referenceOf('44444444-4444-4444-8444-444444444444')
  const branch = (condition: string, mode?: 'expression') => ({
    taskName: 'branch',
    taskGroup: '',
    params: [
      { name: 'condition', value: condition, ...(mode === undefined ? {} : { mode }) },
      { name: 'Result', type: 'OUTPUT' as const, value: text },
    ],
  })
  const nodes = (condition: string, mode?: 'expression'): Record<string, Node> => ({
    check: branch(condition, mode),
    small: { taskName: 'good', after: ['check/then'] },
    large: { taskName: 'good', after: ['check/else'] },
    'below large': { taskName: 'good', after: ['large'] },
    again: {
      taskName: 'branch',
      taskGroup: '',
      after: ['small', 'large'],
      params: [{ name: 'condition', value: `${text} = "then"`, mode: 'expression' }],
    },
    last: { taskName: 'good', after: ['again/then'] },
  })
  const id = await pipeline('decides by name', nodes('run.name = "decides by name"', 'expression'))
  const first = await ended(await run(id))
  expect(steps(first)).toEqual([
    ['check', 'INFO'],
    ['small', 'INFO'],
    ['large', 'UNEXECUTED'],
    ['below large', 'UNEXECUTED'],
    ['again', 'INFO'],
    ['last', 'INFO'],
  ])
  expect([first.status, first.latestStatus.message]).toEqual([
    'INFO',
    '4 of 6 tasks succeeded. The others belong to branches that were skipped.',
  ])
  expect(first.componentStatuses[2]!.message).toBe('Skipped: “check” continued with another branch.')
  const repeat = async (body: object) => {
    const { jobId } = await owner.call(repeatPipeline, { body: { jobId: first.jobId, ...body } })
    return ended(jobId)
  }
  expect(steps(await repeat({}))).toEqual(steps(first))
  expect(steps(await repeat({ fromNodeId: 'large' })).slice(-4)).toEqual([
    ['large', 'INFO'],
    ['below large', 'INFO'],
    ['again', 'INFO'],
    ['last', 'INFO'],
  ])
  const other = await ended(await run(await pipeline('decides otherwise', nodes('false'))))
  expect(steps(other)).toEqual([
    ['check', 'INFO'],
    ['small', 'UNEXECUTED'],
    ['large', 'INFO'],
    ['below large', 'INFO'],
    ['again', 'INFO'],
    ['last', 'UNEXECUTED'],
  ])
  const wrong = await ended(
    await run(await pipeline('no condition', { check: branch('run.id', 'expression') })),
  )
  expect([wrong.status, wrong.latestStatus.message]).toEqual([
    'ERROR',
    expect.stringMatching(/^“check”: The condition has the result “.{36}”\. It must be true or false\.$/),
  ])
  const refused = async (all: Record<string, Node>) => (await refusal(pipeline('refused', all))).message
  expect(await refused({ a: { taskName: 'good' }, b: { taskName: 'good', after: ['a/then'] } })).toContain(
    '“b” follows the branch “then” of “a”, which has no branches.',
  )
  expect(await refused({ check: branch('maybe') })).toContain('“condition”')
})

test('a run does not remain paused if it is stopped while pausing or its group is deleted', async () => {
  await owner.call(createGroup, { body: { name: 'Short-lived' } })
  const { pipeline: made } = await owner.call(createPipeline, {
    body: {
      name: 'pauses',
      groupName: 'Short-lived',
      tasks: [{ id: 'a', taskReadableName: 'a', taskName: 'good', taskGroup: 'Flows', isPaused: true }],
    },
  })
  const jobs = []
  for (let n = 0; n < 10; n++) {
    const jobId = await run(made.id)
    await sleep(n * 3)
    await owner.call(stopPipeline, { body: { jobId } })
    jobs.push(jobId)
  }
  for (const jobId of jobs) expect((await ended(jobId)).status).toBe('ERROR')
  const left = await run(made.id)
  await until(left, (job) => job.status === 'PAUSED')
  await owner.call(deleteGroup, { params: { name: 'Short-lived' } })
  expect((await ended(left)).status).toBe('ERROR')
})
