import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type ComponentStatus } from '@headwater/statuses/contract'
import { createTask, getTask, searchTasks, updateTask, type Task } from '@headwater/tasks/contract'
import { wheelOf } from '@headwater/tasks/testing'
import { executeTask } from '../contract/index.ts'

const unavailable = (name: string) =>
  `The package ${name} is not available. Ask an administrator to enable it.`

let wheels: string
let withPackages: TestServer
let without: TestServer
beforeAll(async () => {
  wheels = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  await mkdir(wheels, { recursive: true })
  const all = [
    { name: 'shapes', version: '1.0', requires: ['points'] },
    { name: 'points', version: '2.5' },
    {
      name: 'pandas',
      version: '0.1',
      modules: { 'pandas.py': 'def mean(values): return sum(values) / len(values)\n' },
    },
  ]
  for (const wheel of all) {
    const { fileName, content } = wheelOf(wheel)
    await writeFile(join(wheels, fileName), content)
  }
  withPackages = await startTestServer({
    env: { HEADWATER_PACKAGES: wheels, HEADWATER_BASE_PACKAGES: 'on' },
  })
  without = await startTestServer()
})
afterAll(async () => {
  await withPackages.stop()
  await without.stop()
  await rm(wheels, { recursive: true, force: true })
})

async function userOf(server: TestServer): Promise<Session> {
  const user = await server.createUser({ role: 'Pipeline builder' })
  await user.call(createGroup, { body: { name: `Group of ${user.userName}`.replaceAll(/[^\w ]/g, ' ') } })
  return user
}

function inputOf(user: Session, name: string, script: string, requirements: object[] = []) {
  return {
    name,
    groupName: `Group of ${user.userName}`.replaceAll(/[^\w ]/g, ' '),
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: script, valueType: 'SCRIPT' as const }],
    requirements: requirements as never,
  }
}

/** Runs a task and returns the status of its step. */
async function run(
  user: Session,
  { name, groupName }: Pick<Task, 'name' | 'groupName'>,
): Promise<ComponentStatus> {
  const { jobId } = await user.call(executeTask, { body: { taskName: name, taskGroupName: groupName } })
  for (let tries = 0; tries < 600; tries++) {
    const { items } = await user.call(searchStatuses, { query: { jobId } })
    if (items[0]?.endTime !== undefined) return items[0].componentStatuses[0]!
    await sleep(100)
  }
  throw new Error('The task did not end.')
}

test('each save of a task locks its packages, and runs import them', async () => {
  const user = await userOf(withPackages)
  const script = 'import shapes, points\nprint(shapes.version, points.version)'
  const task = await user.call(createTask, {
    body: inputOf(user, 'draws', script, [{ name: ' Shapes ', version: '1.0' }]),
  })
  expect(task).toMatchObject({
    requirements: [{ name: 'Shapes', version: '1.0' }],
    lockedPackages: [
      { name: 'points', version: '2.5', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
      { name: 'shapes', version: '1.0', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    ],
    warnings: [],
  })
  expect(await user.call(getTask, { params: { taskId: task.id }, query: {} })).toEqual(task)
  expect(await run(user, task)).toMatchObject({ status: 'INFO', message: '1.0 2.5' })
  const { fileName, content } = wheelOf({ name: 'points', version: '2.6' })
  await writeFile(join(wheels, fileName), content)
  expect(await run(user, task)).toMatchObject({ status: 'INFO', message: '1.0 2.5' })
  const saved = await user.call(updateTask, {
    params: { taskId: task.id },
    body: { version: 1, taskInput: inputOf(user, 'draws', script, [{ name: 'shapes', version: '' }]) },
  })
  expect(saved.lockedPackages.map(({ version }) => version)).toEqual(['2.6', '1.0'])
  expect(await run(user, task)).toMatchObject({ status: 'INFO', message: '1.0 2.6' })
  const listed = await user.call(searchTasks, { query: { query: 'name=draws' } })
  expect(listed.items[0]?.requirements).toEqual([{ name: 'shapes', version: '' }])
})

test('scripts import the base set without declaring it', async () => {
  const user = await userOf(withPackages)
  const task = await user.call(createTask, {
    body: inputOf(user, 'mean', 'import pandas as pd\nprint(pd.mean([1, 2, 6]))'),
  })
  expect(task.lockedPackages).toMatchObject([{ name: 'pandas', version: '0.1' }])
  expect(await run(user, task)).toMatchObject({ status: 'INFO', message: '3.0' })
})

test('without a package source, a save warns, and the step names the package and the remedy', async () => {
  const user = await userOf(without)
  const imports = await user.call(createTask, { body: inputOf(user, 'imports', 'import pandas') })
  expect(imports).toMatchObject({ warnings: [unavailable('pandas')], lockedPackages: [] })
  expect(await run(user, imports)).toMatchObject({
    status: 'ERROR',
    message: expect.stringMatching(new RegExp(`^${unavailable('pandas')}`)) as string,
  })
  const declares = await user.call(createTask, {
    body: inputOf(user, 'declares', 'print(1)', [{ name: 'shapes' }]),
  })
  expect(declares.warnings).toEqual([unavailable('shapes')])
  expect(await run(user, declares)).toMatchObject({ status: 'ERROR', message: unavailable('shapes') })
  const other = await user.call(createTask, { body: inputOf(user, 'other', 'import no_such_module') })
  expect(other.warnings).toEqual([])
  expect((await run(user, other)).message).toMatch(/^ModuleNotFoundError: No module named 'no_such_module'/)
})

test('a save rejects URLs, paths, pip options, ranges and repeated names', async () => {
  const user = await userOf(withPackages)
  const wrong: [object[], string][] = [
    [[{ name: 'https://example.com/evil.whl' }], 'requirements[0].name'],
    [[{ name: 'git+https://example.com/evil' }], 'requirements[0].name'],
    [[{ name: '../evil' }], 'requirements[0].name'],
    [[{ name: '/tmp/evil' }], 'requirements[0].name'],
    [[{ name: '--index-url' }], 'requirements[0].name'],
    [[{ name: 'evil @ file:evil' }], 'requirements[0].name'],
    [[{ name: 'pandas[all]' }], 'requirements[0].name'],
    [[{ name: '' }], 'requirements[0].name'],
    [[{ name: 'pandas', version: '>=2' }], 'requirements[0].version'],
    [[{ name: 'pandas', version: '2.*' }], 'requirements[0].version'],
    [[{ name: 'pandas', version: '2 --pre' }], 'requirements[0].version'],
    [[{ name: 'pandas', version: '@ https://example.com' }], 'requirements[0].version'],
    [[{ name: 'a-b' }, { name: 'A_B' }], 'requirements'],
    [Array.from({ length: 51 }, (_, i) => ({ name: `p${i}` })), 'requirements'],
  ]
  for (const [requirements, field] of wrong) {
    const error = await refusal(user.call(createTask, { body: inputOf(user, 'wrong', '', requirements) }))
    expect([error.status, error.body.validationErrors?.[0]?.field]).toEqual([400, field])
  }
  const mail = {
    ...inputOf(user, 'mail', '', [{ name: 'shapes' }]),
    definitionName: 'email-sender',
    params: [],
  }
  expect((await refusal(user.call(createTask, { body: mail }))).body.code).toBe('paramInvalid')
})
