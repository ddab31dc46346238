import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  createTask,
  deleteTask,
  getTask,
  listTaskCategories,
  listTaskDefinitions,
  listTaskVersions,
  searchTasks,
  updateTask,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  for (const name of ['Scripts', 'Other']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

function script(name: string, more: object = {}) {
  return {
    name,
    groupName: 'Scripts',
    definitionName: 'python-runner',
    readableName: `Script ${name}`,
    params: [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const }],
    ...more,
  }
}

test('DP-393 DP-394 DP-397 DP-403 DP-404 a created task has its fields and parameters and is listed', async () => {
  const made = await owner.call(createTask, {
    body: script(' prices ', {
      description: 'Reads prices.',
      timeout: 30,
      memory: 128,
      params: [
        { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
        {
          name: 'Input #1',
          value: 'WTI',
          valueType: 'LONG_TEXT',
          dynamic: true,
          defaultValue: 'Brent',
          description: 'Which one',
        },
        { name: 'Output #1', type: 'OUTPUT', optional: true },
      ],
    }),
  })
  expect(made).toMatchObject({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    name: 'prices',
    groupName: 'Scripts',
    version: 1,
    latest: true,
    readableName: 'Script  prices',
    definitionName: 'python-runner',
    definitionId: 'python-runner',
    category: 'Python',
    description: 'Reads prices.',
    imageUrl: null,
    cpu: 1,
    memory: 128,
    timeout: 30,
    markdownId: null,
    isPaused: false,
    modifiedBy: owner.userName,
    writeAccess: true,
  })
  expect(made.params.map(({ name, type, defaultValue }) => [name, type, defaultValue])).toEqual([
    ['Script', 'INPUT', ''],
    ['Input #1', 'INPUT', 'Brent'],
    ['Output #1', 'OUTPUT', ''],
  ])
  expect(made.params[1]).toEqual({
    name: 'Input #1',
    type: 'INPUT',
    valueType: 'LONG_TEXT',
    value: 'WTI',
    defaultValue: 'Brent',
    dynamic: true,
    optional: false,
    description: 'Which one',
  })
  expect(made.params[2]).toMatchObject({ type: 'OUTPUT', optional: true, dynamic: false })
  expect(await owner.call(getTask, { params: { taskId: made.id }, query: {} })).toEqual(made)
  const { items } = await owner.call(searchTasks, { query: { query: 'name=prices' } })
  expect(items.map(({ id }) => id)).toEqual([made.id])
  const paused = await owner.call(createTask, {
    body: script('paused', { isPaused: true, markdownId: 'm1' }),
  })
  expect(paused).toMatchObject({ isPaused: true, markdownId: 'm1' })
  expect(await owner.call(getTask, { params: { taskId: paused.id }, query: {} })).toEqual(paused)
  const neither = script('neither', { params: [{ name: 'a', type: 'BOTH' }] })
  const refused = await refusal(owner.call(createTask, { body: neither as never }))
  expect(refused.body.validationErrors).toMatchObject([{ field: 'params[0].type' }])
})

test('DP-393 DP-394 DP-395 DP-398 DP-403 every save creates a version with all fields; a save over a newer version is rejected', async () => {
  const { id } = await owner.call(createTask, { body: script('versions') })
  const renamed = script(' renamed ', {
    groupName: 'Other',
    readableName: 'Renamed',
    description: 'Reads them again.',
    timeout: 45,
    memory: 256,
    isPaused: true,
    markdownId: 'm1',
    params: [
      { name: 'Script', value: 'print(2)', valueType: 'SCRIPT' },
      { name: 'Unit', optional: true },
    ],
  })
  const second = await owner.call(updateTask, {
    params: { taskId: id },
    body: { version: 1, taskInput: renamed },
  })
  const { name: _name, params, ...rest } = renamed
  expect(second).toMatchObject({ ...rest, id, name: 'renamed', version: 2 })
  expect(second.params).toMatchObject(params)
  expect(await owner.call(getTask, { params: { taskId: id }, query: {} })).toEqual(second)
  const versions = await owner.call(listTaskVersions, { params: { taskId: id }, query: {} })
  expect(versions.items.map(({ version, latest }) => [version, latest])).toEqual([
    [2, true],
    [1, false],
  ])
  const first = await owner.call(getTask, { params: { taskId: id }, query: { version: '1' } })
  expect(first).toMatchObject({ version: 1, markdownId: null })
  const late = await refusal(
    owner.call(updateTask, { params: { taskId: id }, body: { version: 1, taskInput: renamed } }),
  )
  expect([late.status, late.body.code]).toEqual([409, 'taskChanged'])
  expect(late.message).toContain(owner.userName)
})

test('DP-408 a save fills empty inputs with their defaults; outputs and other values remain unchanged', async () => {
  const made = await owner.call(createTask, {
    body: script('filled', {
      params: [
        { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
        { name: 'Empty', defaultValue: 'Brent' },
        { name: 'Set', value: 'WTI', defaultValue: 'Brent' },
        { name: 'Out', type: 'OUTPUT', defaultValue: 'x' },
      ],
    }),
  })
  expect(made.params.map(({ name, value }) => [name, value])).toEqual([
    ['Script', 'print(1)'],
    ['Empty', 'Brent'],
    ['Set', 'WTI'],
    ['Out', ''],
  ])
})

test('DP-409 a pause parameter sets whether runs pause before its task', async () => {
  const saved = async (name: string, param: object, isPaused = false) =>
    (
      await owner.call(createTask, {
        body: script(name, {
          isPaused,
          params: [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' }, param],
        }),
      })
    ).isPaused
  const pause = { name: 'Pause', valueType: 'BOOLEAN' }
  expect(await saved('on', { ...pause, value: 'true' })).toBe(true)
  expect(await saved('off', { ...pause, value: 'false' }, true)).toBe(false)
  expect(await saved('default', { ...pause, name: 'isPaused', defaultValue: 'TRUE' })).toBe(true)
  expect(await saved('text', { ...pause, valueType: 'TEXT', value: 'true' })).toBe(false)
  expect(await saved('other', { ...pause, name: 'Pause it', value: 'true' })).toBe(false)
})

test('DP-400 tasks, including built-in ones, can be searched in pages of up to 1000; categories are listed', async () => {
  await owner.call(createTask, { body: script('find me') })
  const namesOf = async (query: string, size = 1000) =>
    (await owner.call(searchTasks, { query: { query, size } })).items.map(({ name }) => name)
  expect(await namesOf('readableName=script find me')).toEqual(['find me'])
  expect(await namesOf('readableName=*find*&groupName=Scripts')).toEqual(['find me'])
  expect(await namesOf('readableName=*find*&groupName=Nowhere')).toEqual([])
  expect(await namesOf('category=Python&name=find me')).toEqual(['find me'])
  expect(await namesOf('category=Triggers')).toEqual(['cron-trigger'])
  expect(await namesOf('FIND')).toEqual(['find me'])
  const byThousand = await owner.fetch('/mgmt/task?query=find&size=1000')
  expect(await byThousand.json()).toMatchObject({ items: [{ name: 'find me' }] })
  expect((await refusal(namesOf('', 1001))).status).toBe(400)
  const all = await owner.call(searchTasks, { query: { size: 1000 } })
  expect(all.items).toHaveLength(all.totalSize)
  const pages = [
    await owner.call(searchTasks, { query: { size: 2 } }),
    await owner.call(searchTasks, { query: { size: 1000, from: 2 } }),
  ]
  expect(pages.flatMap(({ items }) => items)).toEqual(all.items)
  expect((await owner.call(listTaskCategories, {})).items).toEqual([
    'Check',
    'Control',
    'Output',
    'Python',
    'Source',
    'Storage',
    'Transform',
    'Triggers',
  ])
  const { items } = await owner.call(listTaskDefinitions, {})
  expect(items.find(({ definitionName }) => definitionName === 'python-runner')?.openParams).toBe(true)
})

test('only users with read access to its group can see a task; only users with write access can change it', async () => {
  const { id } = await owner.call(createTask, { body: script('mine') })
  const params = { taskId: id }
  const refused = [
    await refusal(stranger.call(getTask, { params, query: {} })),
    await refusal(stranger.call(listTaskVersions, { params, query: {} })),
    await refusal(stranger.call(updateTask, { params, body: { version: 1, taskInput: script('x') } })),
    await refusal(stranger.call(deleteTask, { params })),
  ]
  expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  expect((await stranger.call(searchTasks, { query: { query: 'mine' } })).items).toEqual([])
  expect(
    (await refusal(stranger.call(createTask, { body: script('theirs') }))).body.validationErrors,
  ).toMatchObject([{ field: 'groupName' }])
  await owner.call(deleteTask, { params })
  expect((await refusal(owner.call(getTask, { params, query: {} }))).status).toBe(404)
})

test('errors in tasks name the field', async () => {
  await owner.call(createTask, { body: script('taken') })
  const wrong: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'a/b' }, 'name'],
    [{ name: 'taken' }, 'name'],
    [{ definitionName: 'no such kind' }, 'definitionName'],
    [{ timeout: 0 }, 'timeout'],
    [{ memory: 1_000_000 }, 'memory'],
    [{ params: [{ name: 'a=b' }] }, 'params[0].name'],
    [{ params: [{ name: 'a' }, { name: 'a' }] }, 'params'],
    [{ params: [{ name: 'a', value: 'a\u0000b' }] }, 'params[0].value'],
    [{ definitionName: 'email-sender', params: [{ name: 'no such parameter' }] }, 'params'],
  ]
  for (const [change, field] of wrong) {
    const error = await refusal(owner.call(createTask, { body: script('wrong', change) as never }))
    expect([error.status, error.body.validationErrors?.[0]?.field]).toEqual([400, field])
  }
})

test('a save rejects values that are too long for a script, including defaults; other kinds accept longer values', async () => {
  const valued = (name: string, ...values: object[]) => {
    const params = values.map((value, index) => ({ name: `Input ${index}`, ...value }))
    const code = { name: 'Script', value: `#${'x'.repeat(500_000)}`, valueType: 'SCRIPT' }
    return owner.call(createTask, { body: script(name, { params: [code, ...params] }) as never })
  }
  const long = 'x'.repeat(120_000)
  const wrong: [object[], string][] = [
    [
      [{ value: 'ä'.repeat(70_000) }],
      '“Input 0” has 140,000 bytes; a script can receive at most 128,000 in one value.',
    ],
    [[{}, { defaultValue: 'x'.repeat(128_001) }], '“Input 1” has 128,001 bytes'],
    [
      Array.from({ length: 9 }, () => ({ value: long })),
      'The values have 1,080,063 bytes in total; a script can receive at most 1,000,000.',
    ],
  ]
  for (const [values, message] of wrong) {
    const error = await refusal(valued('long', ...values))
    expect([error.status, error.body.code]).toEqual([400, 'paramInvalid'])
    expect(error.message).toContain(message)
  }
  await valued('long enough', { value: long }, { value: 'short', defaultValue: 'x'.repeat(200_000) })
  const text = { name: 'text', value: 'x'.repeat(500_000) }
  await owner.call(createTask, {
    body: script('long mail', { definitionName: 'email-sender', params: [text] }) as never,
  })
})

test('a save rejects values that do not match their types, and conditions without a known operator', async () => {
  const save = (params: object[]) =>
    refusal(owner.call(createTask, { body: script(`checked ${params.length}`, { params }) as never }))
  const rejected = async (param: object) => (await save([param])).message
  expect(await rejected({ name: 'Limit', valueType: 'NUMBER', value: 'many' })).toBe(
    '400 paramInvalid: “Limit”: Enter a number such as 12.5.',
  )
  expect(await rejected({ name: 'When', valueType: 'CRON', value: '99 * * * *' })).toContain('“When”: ')
  expect(
    await rejected({ name: 'B', condition: { paramName: 'A', operator: 'resembles', value: 'x' } }),
  ).toContain('“resembles” in the condition of “B” is not an operator. Use one of =, ')
})

test('a hidden parameter can have any value and keeps its condition and choices', async () => {
  const condition = { paramName: 'Mode', operator: 'ONE_OF', value: 'number, date' }
  const params = [
    { name: 'Mode', valueType: 'CHOICE' as const, choices: ['text', 'number'], value: 'text' },
    { name: 'Limit', valueType: 'NUMBER' as const, value: 'many', condition },
  ]
  const made = await owner.call(createTask, { body: script('conditioned', { params }) })
  expect(made.params.slice(1)).toMatchObject(params)
})
