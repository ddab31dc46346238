import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, unshareGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { referenceOf } from '@headwater/runs/contract'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import {
  createPipeline,
  executePipeline,
  listGeneratedValues,
  repeatPipeline,
  saveGeneratedValue,
  stopPipeline,
  storeValue,
  updatePipeline,
} from '../contract/index.ts'

const a = referenceOf('11111111-1111-4111-8111-111111111111')
const b = referenceOf('22222222-2222-4222-8222-222222222222')
const fileId = '${trigger.fileId}'

let server: TestServer
let owner: Session
let reader: Session
let pipelineId: string

/** Prints its text and passes it on with an exclamation mark. Fails if the input `Fail` is set. */
const script = [
  'import os, urllib.request, urllib.parse',
  'def store(key, value=None):',
  '    url = os.environ["NG_API_ENDPOINT"] + "/mgmt/store/" + os.environ["PIPELINE_ID"] + "/" + urllib.parse.quote(key, safe="$")',
  '    headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": "text/plain"}',
  '    data = value.encode() if value else None',
  '    return urllib.request.urlopen(urllib.request.Request(url, data=data, headers=headers)).read().decode()',
  'import json',
  'text = os.environ["Text"]',
  'if text.startswith("$"): text = json.loads(store(text))["value"]',
  'print(text)',
  'if os.environ.get("Value"): store(os.environ["Value"], text + "!")',
]

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  reader = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Parts' } })
  await server.grantGroup({ groupName: 'Parts', userName: reader.userName, access: 'R' })
  await owner.call(createTask, {
    body: {
      name: 'passes',
      groupName: 'Parts',
      definitionName: 'python-runner',
      params: [
        { name: 'Script', value: script.join('\n'), valueType: 'SCRIPT' },
        { name: 'Text' },
        { name: 'Value', type: 'OUTPUT', optional: true },
      ] as never,
    },
  })
  pipelineId = await pipeline('parts', [
    node('a', 'first', { provides: a }),
    node('b', a, { provides: b, after: ['a'] }),
    node('c', b, { after: ['b'] }),
    // A value of this task is missing; runs without the task succeed.
    node('d', '', { after: ['c'] }),
    node('e', fileId),
  ])
})
afterAll(() => server.stop())

function node(
  id: string,
  text: string,
  { provides, after = [] }: { provides?: string; after?: string[] } = {},
) {
  return {
    id,
    taskReadableName: id,
    taskName: 'passes',
    taskGroup: 'Parts',
    prevTasks: after.map((other) => ({ id: other })),
    taskOverrides: {
      params: [
        ...(text === '' ? [] : [{ name: 'Text', value: text }]),
        ...(provides === undefined ? [] : [{ name: 'Value', type: 'OUTPUT' as const, value: provides }]),
      ],
    },
  }
}

async function pipeline(name: string, tasks: ReturnType<typeof node>[]): Promise<string> {
  return (await owner.call(createPipeline, { body: { name, groupName: 'Parts', tasks } })).pipeline.id
}

const execute = (body: object, caller = owner, id = pipelineId) =>
  caller.call(executePipeline, { params: { pipelineId: id }, body: { waitSeconds: 60, ...body } as never })

/** Runs a part and returns its job id and the printed text of each task, ordered by name. */
async function run(body: object, caller = owner) {
  const { jobId, status } = await execute(body, caller)
  return { jobId, status, printed: await printedIn(jobId, caller) }
}

async function printedIn(jobId: string, caller = owner): Promise<string[]> {
  const [job] = (await caller.call(searchStatuses, { query: { jobId } })).items
  return job!.componentStatuses.map(({ component, message }) => `${component}: ${message}`).toSorted()
}

async function refused(call: Promise<unknown>) {
  const { status, body } = await refusal(call)
  return [status, body.code, body.message]
}

test('a run can execute one task, the tasks up to it or the tasks from it on, with pinned values or values of an earlier run', async () => {
  const until = await run({ untilNodeId: 'b' })
  expect(until).toMatchObject({ status: 'INFO', printed: ['a: first', 'b: first!'] })

  const only = { onlyNodeId: 'c' }
  expect(await refused(execute(only))).toEqual([
    400,
    'valueMissing',
    '“Text” of “c” uses an output of “b”, which is not part of this run. Pin a value for this output, or choose an earlier run that has this output.',
  ])
  const pinnedB = [{ nodeId: 'b', outputs: [{ name: 'Value', value: 'pinned' }] }]
  const earlier = { valuesOfJobId: until.jobId }
  expect((await run({ ...only, pinned: pinnedB })).printed).toEqual(['c: pinned'])
  expect((await run({ ...only, ...earlier })).printed).toEqual(['c: first!!'])
  expect((await run({ ...only, ...earlier, pinned: pinnedB })).printed).toEqual(['c: pinned'])
  // Tasks that only a pinned task needs do not run.
  expect((await run({ untilNodeId: 'c', pinned: pinnedB })).printed).toEqual(['c: pinned'])
  expect((await run({ untilNodeId: 'c', pinned: [{ nodeId: 'a' }], ...earlier })).printed).toEqual([
    'b: first!',
    'c: first!!',
  ])
  const from = await refused(execute({ fromNodeId: 'b', ...earlier }))
  expect(from.slice(0, 2)).toEqual([400, 'paramMissing'])
  expect((await run({ onlyNodeId: 'e', triggerValues: { fileId: '7' } })).printed).toEqual(['e: 7'])
})

test('a partial run starts after the tasks before the skipped ones, and uses their values', async () => {
  const id = await pipeline('chain', [
    node('first', '1'),
    node('middle', '2', { provides: a, after: ['first'] }),
    node('last', a, { after: ['middle'] }),
  ])
  const pinned = [{ nodeId: 'middle', outputs: [{ name: 'Value', value: 'given' }] }]
  const { jobId } = await execute({ pinned }, owner, id)
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  expect(job!.componentStatuses.map(({ component, message }) => [component, message])).toEqual([
    ['first', '1'],
    ['last', 'given'],
  ])
  expect(job!.componentStatuses[1]!.prevEId).toBe(job!.componentStatuses[0]!.eId)
  const from = await execute({ fromNodeId: 'middle' }, owner, id)
  expect(await printedIn(from.jobId)).toEqual(['last: 2!', 'middle: 2'])

  const repeat = async (body: object) => {
    const { jobId: repeated } = await owner.call(repeatPipeline, {
      body: { jobId: from.jobId, ...body } as never,
    })
    await expect
      .poll(async () => (await owner.call(searchStatuses, { query: { jobId: repeated } })).items[0]?.status)
      .toBe('INFO')
    return printedIn(repeated)
  }
  expect(await repeat({ onlyNodeId: 'last', pinned })).toEqual([
    'last: given',
    'middle: The task was pinned and did not run.',
  ])
  expect(await repeat({ untilNodeId: 'middle' })).toEqual(['last: 2!', 'middle: 2'])
})

test('rejects unknown tasks, several selections, runs of other users, and custom values without write access', async () => {
  const before = await countRuns()
  const unknown = await refused(execute({ untilNodeId: 'x' }))
  expect(unknown).toEqual([
    400,
    'pipelineInvalid',
    'There is no task “x”. Choose one of the tasks of the pipeline.',
  ])
  expect((await refused(execute({ pinned: [{ nodeId: 'x' }] }))).slice(0, 2)).toEqual([
    400,
    'pipelineInvalid',
  ])
  expect((await refused(execute({ onlyNodeId: 'a', pinned: [{ nodeId: 'a' }] })))[2]).toBe(
    'All selected tasks are pinned, so nothing would run. Unpin a task.',
  )
  const several = await refusal(execute({ onlyNodeId: 'a', fromNodeId: 'b' }))
  expect([several.status, several.body.validationErrors?.[0]]).toEqual([
    400,
    {
      field: 'onlyNodeId',
      message: 'Set only one of onlyNodeId, untilNodeId, fromNodeId and failedOnly.',
    },
  ])
  const twice = [{ nodeId: 'b' }, { nodeId: 'b' }]
  expect((await refusal(execute({ pinned: twice }))).body.validationErrors?.[0]?.message).toBe(
    'Pin each task only once.',
  )
  const wrongName = await refusal(execute({ triggerValues: { file: '7' } }))
  expect(wrongName.status).toBe(400)
  expect(await countRuns()).toBe(before)

  const { jobId } = await execute({ onlyNodeId: 'a' })
  const body = { onlyNodeId: 'b', valuesOfJobId: jobId }
  expect((await refused(execute(body, reader))).slice(0, 2)).toEqual([404, 'runNotFound'])
  const ofReader = await execute({ onlyNodeId: 'a' }, reader)
  expect(ofReader.status).toBe('INFO')
  const repetition = { jobId: ofReader.jobId, pinned: [{ nodeId: 'a' }] } as never
  expect((await refused(reader.call(repeatPipeline, { body: repetition }))).slice(0, 2)).toEqual([
    403,
    'pipelineGroupForbidden',
  ])
  for (const own of [{ pinned: [{ nodeId: 'b' }] }, { triggerValues: { fileId: '7' } }])
    expect((await refused(execute({ onlyNodeId: 'e', ...own }, reader))).slice(0, 2)).toEqual([
      403,
      'pipelineGroupForbidden',
    ])
})

test('running a pipeline without tasks is rejected with a message that says what to do', async () => {
  const id = await pipeline('empty', [])
  expect((await refused(execute({}, owner, id)))[2]).toBe(
    '“empty” has no tasks. Add a task before you run it.',
  )
})

test('a user can read the values of their own runs only while they can read the group', async () => {
  const former = await server.createUser({ role: 'Pipeline builder' })
  await server.grantGroup({ groupName: 'Parts', userName: former.userName, access: 'R' })
  const { jobId } = await execute({ onlyNodeId: 'a' }, former)
  const read = (id: string) =>
    former.fetch(`/mgmt/store/${id}/${encodeURIComponent(a)}`, { headers: { 'X-KH-JOB-ID': jobId } })
  const list = async (id: string) =>
    (await former.call(listGeneratedValues, { params: { pipelineId: id }, query: { jobId } })).items
  await former.call(createGroup, { body: { name: 'Parts of a former reader' } })
  const { pipeline: other } = await former.call(createPipeline, {
    body: { name: 'other', groupName: 'Parts of a former reader', tasks: [] },
  })
  expect(await (await read(pipelineId)).json()).toMatchObject({ value: 'first!' })
  expect(await list(pipelineId)).toEqual([{ jobId, pipelineId, name: a, value: 'first!' }])
  await owner.call(unshareGroup, { body: { groupName: 'Parts', emails: [former.userName] } })
  for (const id of [pipelineId, 'None']) {
    expect((await read(id)).status).toBe(404)
    expect(await refusal(list(id))).toMatchObject({ status: 404, body: { code: 'pipelineNotFound' } })
  }
  expect(await list(other.id)).toEqual([])
})

async function countRuns(): Promise<number> {
  return (await owner.call(searchStatuses, { query: {} })).totalSize
}

test('reading values of a run requires write access to the group of its pipeline, even for the user who started it', async () => {
  const id = await pipeline('waits', [{ ...node('a', 'text', { provides: a }), isPaused: true } as never])
  for (const [session, isAllowed] of [
    [reader, false],
    [owner, true],
  ] as const) {
    const { jobId } = await session.call(executePipeline, {
      params: { pipelineId: id },
      body: { triggerValues: {} },
    })
    // Without a job id, the value comes from the latest run of the caller.
    const calls = [
      () => session.call(storeValue, { params: { pipelineId: id, key: a }, body: 'own' }),
      () =>
        session.call(saveGeneratedValue, {
          params: { pipelineId: id },
          body: { jobId, name: a, value: 'own' },
        }),
    ]
    for (const call of calls)
      if (isAllowed) await call()
      else
        expect(await refusal(call())).toMatchObject({ status: 403, body: { code: 'pipelineGroupForbidden' } })
    await session.call(stopPipeline, { body: { jobId } })
  }
})

test('only changed tasks and the tasks after them run; other tasks reuse the results of the last run', async () => {
  const tasks = (second: string, eventId: string) => [
    node('one', '1', { provides: a }),
    node('two', second, { provides: b, after: ['one'] }),
    node('three', b, { after: ['two'] }),
    node('four', a),
    node('event', eventId),
  ]
  const id = await pipeline('changes', tasks(a, fileId))
  const save = (all: ReturnType<typeof tasks>) =>
    owner.call(updatePipeline, {
      params: { pipelineId: id },
      body: { name: 'changes', groupName: 'Parts', tasks: all },
    } as never)
  const executed = async (body: object) => {
    const { jobId, status } = await execute({ triggerValues: { fileId: '7' }, ...body }, owner, id)
    const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
    const again = job!.componentStatuses.filter(({ message }) => !message.startsWith(unchanged))
    return { jobId, status, executed: again.map(({ component }) => component).toSorted(), job: job! }
  }
  const unchanged = 'Unchanged: the result of an earlier run is used.'
  const all = ['event', 'four', 'one', 'three', 'two']
  const first = await executed({ changedOnly: true })
  expect(first).toMatchObject({ status: 'INFO', executed: all })
  expect(await executed({ changedOnly: true })).toMatchObject({ status: 'INFO', executed: [] })
  // Each run passes its results on to the next one.
  const other = await executed({ changedOnly: true, triggerValues: { fileId: '8' } })
  expect(other.executed).toEqual(['event'])
  expect(other.job.componentStatuses.map(({ message }) => message)).toContain(`${unchanged}\n1!`)
  await save(tasks('new', fileId))
  const changed = await executed({ changedOnly: true, triggerValues: { fileId: '8' } })
  expect(changed.executed).toEqual(['three', 'two'])
  expect(changed.job.componentStatuses.map(({ message }) => message)).toContain('new!')
  await save(tasks(a, fileId))
  expect((await executed({ changedOnly: true, valuesOfJobId: first.jobId })).executed).toEqual([])
  expect((await executed({})).executed).toEqual(all)

  expect(await refused(execute({ changedOnly: true, onlyNodeId: 'one' }, owner, id))).toMatchObject([
    400,
    'invalidInput',
    expect.anything(),
  ])
  expect((await refused(execute({ changedOnly: true, valuesOfJobId: first.jobId })))[1]).toBe('runNotFound')
  // Administrators can also use only the results of their own runs.
  for (const changedOnly of [true, false])
    expect(
      await refused(execute({ changedOnly, valuesOfJobId: first.jobId }, server.admin, id)),
    ).toMatchObject([404, 'runNotFound', expect.anything()])
})

test('an unchanged branch skips the same tasks again; a failed task and time-dependent expressions run again', async () => {
  const branch = {
    id: 'branch',
    taskReadableName: 'branch',
    taskName: 'branch',
    taskOverrides: { params: [{ name: 'condition', value: '1 = 1', mode: 'expression' }] },
  }
  const after = (id: string, before: object[], text = 'x') => ({ ...node(id, text), prevTasks: before })
  const clock = node('clock', '')
  const tasks = [
    branch,
    after('yes', [{ id: 'branch', branch: 'then' }]),
    after('no', [{ id: 'branch', branch: 'else' }]),
    after('both', [{ id: 'yes' }, { id: 'no' }]),
    { ...clock, taskOverrides: { params: [{ name: 'Text', value: 'run.date', mode: 'expression' }] } },
    { ...after('fails', [{ id: 'both' }], '$'), onError: 'continue' },
  ]
  const id = await pipeline('branch again', tasks as never)
  const statuses = async () => {
    const { jobId } = await execute({ changedOnly: true }, owner, id)
    const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
    return job!.componentStatuses.map(({ component, status, message }) => [
      component,
      status,
      message.startsWith('Unchanged'),
    ])
  }
  const expected = (isUnchanged: boolean) => [
    ['branch', 'INFO', isUnchanged],
    ['yes', 'INFO', isUnchanged],
    ['no', 'UNEXECUTED', false],
    ['both', 'INFO', isUnchanged],
    ['clock', 'INFO', false],
    ['fails', 'ERROR', false],
  ]
  expect(await statuses()).toEqual(expected(false))
  expect(await statuses()).toEqual(expected(true))
})
