import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  createPipeline,
  executePipeline,
  executeTask,
  listGeneratedValues,
} from '@headwater/pipelines/contract'
import { referenceOf } from '@headwater/runs/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'

/** Runs the examples of docs/guide/python-tasks.md unchanged, and others like them. */
const guide = await readFile(
  fileURLToPath(new URL('../../docs/guide/python-tasks.md', import.meta.url)),
  'utf8',
)

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Desk' } })
})
afterAll(() => server.stop())

/** Returns the content of the only code block of a kind. */
function block(kind: string): string {
  return new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(guide)![1]!
}

type Param = { name: string; type?: 'INPUT' | 'OUTPUT'; value?: string }

async function createScript(name: string, script: string, params: Param[]): Promise<void> {
  const all = [{ name: 'Script', valueType: 'SCRIPT', value: script }, ...params]
  const body = { name, groupName: 'Desk', definitionName: 'python-runner', params: all }
  await owner.call(createTask, { body: body as never })
}

/**
 * Runs a pipeline of two tasks. Later inputs receive earlier outputs of the same name.
 * @param linked names of these parameters
 */
async function runBoth(first: string, second: string, linked: string[]) {
  const linksOf = (type: Param['type']) =>
    linked.map((name, index) => ({
      name,
      type,
      value: referenceOf(`5f3c0000-0000-4000-8000-00000000000${index}`),
    }))
  const node = (taskName: string, params: Param[]) => ({
    id: taskName,
    taskReadableName: taskName,
    taskName,
    taskGroup: 'Desk',
    taskOverrides: { params },
  })
  const tasks = [
    node(first, linksOf('OUTPUT')),
    { ...node(second, linksOf('INPUT')), prevTasks: [{ id: first }] },
  ]
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: `${first} and ${second}`, groupName: 'Desk', tasks: tasks as never },
  })
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  const { items } = await owner.call(listGeneratedValues, {
    params: { pipelineId: pipeline.id },
    query: { jobId },
  })
  return { steps: job!.componentStatuses, values: items.map(({ value }) => value) }
}

async function runAlone(name: string) {
  const { jobId } = await owner.call(executeTask, { body: { taskName: name, taskGroupName: 'Desk' } })
  const job = async () => (await owner.call(searchStatuses, { query: { jobId } })).items[0]!
  await expect.poll(async () => (await job()).endTime).toBeDefined()
  return (await job()).componentStatuses[0]!
}

test('the second script of the guide prints what the first one has stored', async () => {
  await createScript('prices', block('python prices'), [
    { name: 'Prices', type: 'OUTPUT' },
    { name: 'Title', type: 'OUTPUT' },
  ])
  await createScript('report', block('python report'), [
    { name: 'Prices' },
    { name: 'Title' },
    { name: 'Unit', value: 'USD' },
  ])
  const { steps } = await runBoth('prices', 'report', ['Prices', 'Title'])
  expect(steps).toMatchObject([
    { component: 'prices', status: 'INFO' },
    { component: 'report', status: 'INFO', message: block('text printed').trimEnd() },
  ])
})

test('the table of the guide lists exactly the environment variables of a script without parameters', async () => {
  await createScript('variables', 'import os\nprint(*sorted(os.environ), sep="\\n")', [])
  const start = guide.indexOf('| Environment variable')
  const rows = guide.slice(start, guide.indexOf('\n\n', start)).split('\n').slice(2)
  const names = rows.flatMap((row) =>
    [...row.split('|')[1]!.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name),
  )
  expect(new Set((await runAlone('variables')).message.split('\n'))).toEqual(new Set(names))
})

test('values arrive unchanged: quotes, other scripts, line breaks, empty texts, lists, numbers and truth values', async () => {
  const values = ['"a" \'b\' \\ ä 日本 🙂\r\n${x}', '', ['ü', 1.5, null, { a: true }], 7, false]
  const names = values.map((_, index) => `Value #${index}`)
  const write = `import headwater, json\nfor index, value in enumerate(json.loads(${JSON.stringify(JSON.stringify(values))})):\n    headwater.write_output(f"Value #{index}", value)`
  const read = `import headwater, json, os\nassert os.environ["Value #0"].startswith("\${5f3c")\nprint(json.dumps([headwater.read_input(f"Value #{index}") for index in range(5)]))`
  await createScript(
    'write',
    write,
    names.map((name) => ({ name, type: 'OUTPUT' })),
  )
  await createScript(
    'read',
    read,
    names.map((name) => ({ name })),
  )
  const { steps } = await runBoth('write', 'read', names)
  expect(steps.map(({ status }) => status)).toEqual(['INFO', 'INFO'])
  const [text, empty, list, number, truth] = JSON.parse(steps[1]!.message) as string[]
  expect([text, empty, JSON.parse(list!), number, truth]).toEqual([values[0], '', values[2], '7', 'false'])
})

test('an unused output is accepted and not stored; other names read as None, and writing them is an error with the outputs', async () => {
  const script = [
    'import headwater',
    'headwater.write_output("Used", 1)',
    'headwater.write_output("Unused", 2)',
    'print(headwater.read_input("PATH"), headwater.read_input("Used"))',
    'try:',
    '    headwater.write_output("Unused", {1, 2})',
    'except TypeError as error:',
    '    print(error)',
    'headwater.write_output("used", 3)',
  ].join('\n')
  const outputs: Param[] = ['Used', 'Unused'].map((name) => ({ name, type: 'OUTPUT' }))
  await createScript('unused', script, outputs)
  await createScript('user', 'print("never")', [{ name: 'Used' }])
  const { steps, values } = await runBoth('unused', 'user', ['Used'])
  expect(values).toEqual(['1'])
  expect(steps[0]!.message).toMatch(
    /^ValueError: The task has no output “used”\. Its outputs are: Used, Unused\.\nNone None\nThe output “Unused” can be a string, number, boolean, list or dict, but not set\.\n/,
  )
  const alone = (await runAlone('unused')).message
  expect(alone).toContain('Its outputs are: Used, Unused.')
  await createScript('without', 'import headwater\nheadwater.write_output("x", 1)', [])
  expect((await runAlone('without')).message).toContain('The task has no output “x”. It has no outputs.')
})

test('an input without a value of an earlier task or of the trigger is an error that names it', async () => {
  await createScript('silent', 'pass', [{ name: 'Rows', type: 'OUTPUT' }])
  await createScript('waiting', 'import headwater\nheadwater.read_input("Rows")', [{ name: 'Rows' }])
  const { steps } = await runBoth('silent', 'waiting', ['Rows'])
  expect(steps[1]!.message).toMatch(/^LookupError: No earlier task provided a value for “Rows”\.\n/)
  await createScript('triggered', 'import headwater\nheadwater.read_input("Id")', [
    { name: 'Id', value: '${trigger.fileId}' },
  ])
  expect((await runAlone('triggered')).message).toMatch(
    /^LookupError: “Id” refers to \$\{trigger\.fileId\}, but no trigger with this value started the run\.\n/,
  )
})
