import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { referenceOf } from '@headwater/runs/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask, processTaskExpression } from '@headwater/tasks/contract'
import { createPipeline, executePipeline } from '../contract/index.ts'

let server: TestServer
let owner: Session
const reference = referenceOf('5f3c0000-0000-4000-8000-000000000001')

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const give = [
    'import os, urllib.request as r',
    'u = os.environ["NG_API_ENDPOINT"] + "/mgmt/store/" + os.environ["PIPELINE_ID"] + "/" + os.environ["Output #1"].replace("{", "%7B").replace("}", "%7D")',
    'h = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": "text/plain"}',
    'r.urlopen(r.Request(u, b\'{"rows": [3, 4]}\', h))',
  ]
  await script('give', give, [{ name: 'Output #1', type: 'OUTPUT' }])
  await script(
    'show',
    ['import os', 'print("got", os.environ["Text"], os.environ["Plain"])'],
    [{ name: 'Text' }, { name: 'Plain' }, { name: 'Limit', value: '7' }],
  )
})
afterAll(() => server.stop())

async function script(name: string, lines: string[], params: object[]): Promise<void> {
  const code = { name: 'Script', value: lines.join('\n'), valueType: 'SCRIPT' }
  const body = { name, groupName: 'Flows', definitionName: 'python-runner', params: [code, ...params] }
  await owner.call(createTask, { body: body as never })
}

const taskOf = (name: string, params: object[]) => ({
  id: name,
  taskReadableName: name,
  taskName: name,
  taskGroup: 'Flows',
  taskOverrides: { params },
})

/** Runs a pipeline with the tasks “show” and “give” and returns the message of “show”. */
async function messageOf(name: string, text: string): Promise<string> {
  const tasks = [
    taskOf('show', [
      { name: 'Text', value: text, mode: 'expression' },
      { name: 'Plain', value: '1 + 1' },
    ]),
    taskOf('give', [{ name: 'Output #1', type: 'OUTPUT', value: reference }]),
  ]
  const { pipeline } = await owner.call(createPipeline, {
    body: { name, groupName: 'Flows', tasks: tasks as never },
  })
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  return job!.componentStatuses.find(({ component }) => component === 'show')!.message
}

test('an expression can use outputs of earlier tasks, which run first, and data of the run; fixed values are not evaluated', async () => {
  const text = `"rows " & sum(get(${reference}, "rows")) & " of " & run.name & params.Limit & if(run.date = today(), " today", "")`
  expect(await messageOf('sums', text)).toContain('got rows 7 of sums7 today 1 + 1')
})

test('a run reports why an expression has no result', async () => {
  expect(await messageOf('divides', `1 / 0 & ${reference}`)).toBe(
    'The expression of “Text” has no result. The result is not a finite number. Check for a division by 0.',
  )
})

test('a save rejects invalid expressions, and expressions for scripts and secrets', async () => {
  const save = (param: object) =>
    refusal(
      owner.call(createTask, {
        body: {
          name: 'wrong',
          groupName: 'Flows',
          definitionName: 'python-runner',
          params: [param],
        } as never,
      }),
    )
  const expression = { mode: 'expression' }
  expect((await save({ name: 'A', value: 'upper(', ...expression })).message).toContain(
    '“A”: Expected a number, a quoted string, a name, a function, “[” or “(”, but found the end (character 7).',
  )
  expect((await save({ name: 'A', value: 'process.env', ...expression })).message).toContain(
    'There is no value “process.env”.',
  )
  const secret = { name: 'A', valueType: 'SECRET', value: '"key"', ...expression }
  expect((await save(secret)).message).toContain('This value cannot be an expression.')
})

const check = (value: string, params: object[] = [], paramName = 'Text') =>
  owner.call(processTaskExpression, { body: { paramName, params, value } as never })

test('DP-420 the check of an expression returns its result, or ERROR', async () => {
  expect(await check('upper("wti") & params.Limit', [{ name: 'Limit', value: '7' }])).toEqual({
    response: 'WTI7',
    message: '',
  })
  expect(await check('upper(')).toMatchObject({
    response: 'ERROR',
    message: expect.stringContaining('found the end') as string,
  })
  expect(await check('1 / 0')).toMatchObject({ response: 'ERROR' })
  expect(await check('globalThis.process')).toMatchObject({ response: 'ERROR' })
  expect(await check(reference)).toEqual({
    response: '',
    message: 'The result is known when the pipeline runs.',
  })
  expect(await check('"many"', [{ name: 'Text', value: '', valueType: 'NUMBER' }])).toEqual({
    response: 'many',
    message: 'Enter a number such as 12.5.',
  })
})
