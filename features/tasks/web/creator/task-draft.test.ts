import { expect, test } from 'vitest'
import type { TaskDefinition, TaskParam } from '../../contract/index.ts'
import { draftOf, inputOf, newTask, type TaskDraft, withKind, withParam } from './task-draft.ts'

const param = (name: string, more: Partial<TaskParam> = {}): TaskParam => ({
  name,
  type: 'INPUT',
  valueType: 'TEXT',
  value: '',
  defaultValue: '',
  dynamic: false,
  optional: false,
  description: '',
  ...more,
})
const python: TaskDefinition = {
  definitionId: 'python-runner',
  definitionName: 'python-runner',
  readableName: 'Python script',
  category: 'Python',
  description: '',
  imageUrl: null,
  cpu: 1,
  memory: 512,
  timeout: 600,
  params: [param('Script', { valueType: 'SCRIPT' })],
  openParams: true,
}
const mail: TaskDefinition = {
  ...python,
  definitionName: 'email-sender',
  memory: 64,
  params: [param('subject'), param('Script')],
  openParams: false,
}

test('saving an unchanged draft sends the task unchanged', () => {
  const params = [param('Script', { valueType: 'SCRIPT', value: 'print(1)' }), param('Input #1')]
  const task = {
    ...python,
    requirements: [{ name: 'pandas', version: '' }],
    lockedPackages: [],
    warnings: [],
    id: 'a',
    name: 't',
    readableName: 'T',
    groupName: 'Scripts',
    version: 3,
    latest: true,
    markdownId: 'm1',
    isPaused: true,
    modifyDate: null,
    modifiedBy: null,
    writeAccess: true,
    params,
  }
  const draft = draftOf(task, python)
  expect(draft.ownParams.map(({ name }) => name)).toEqual(['Input #1'])
  expect(inputOf(draft)).toMatchObject({
    name: 't',
    requirements: [{ name: 'pandas', version: '' }],
    readableName: 'T',
    isPaused: true,
    markdownId: 'm1',
    params,
  })
  expect(draftOf({ ...task, readableName: 't' }, python).readableName).toBe('')
  expect(draftOf(task, undefined).ownParams).toHaveLength(2)
})

test('DP-408 the save request fills empty inputs with their defaults', () => {
  const task = newTask(python, 'Scripts')
  const draft = { ...task, ownParams: [{ ...param('Unit', { defaultValue: 'USD' }), key: 0 }] }
  expect(inputOf(draft).params.at(-1)).toMatchObject({ name: 'Unit', value: 'USD' })
})

test('DP-409 a yes-or-no parameter “Pause” controls whether runs pause before the task', () => {
  const withPause = (value: string) => ({
    ...newTask(python, 'Scripts'),
    ownParams: [{ ...param('Pause', { valueType: 'BOOLEAN', value }), key: 0 }],
  })
  expect([inputOf(withPause('true')).isPaused, inputOf(withPause('false')).isPaused]).toEqual([true, false])
  expect(inputOf(newTask(python, 'Scripts')).isPaused).toBe(false)
})

test('changing the kind replaces parameters and limits, preserves shared values, and retains custom parameters only if allowed', () => {
  const draft = withParam(newTask(python, 'Scripts'))
  draft.kindParams = [{ ...draft.kindParams[0]!, value: 'kept' }]
  const changed = withKind(draft, mail)
  expect(changed).toMatchObject({ definitionName: 'email-sender', memory: 64, ownParams: [] })
  expect(changed.kindParams.map(({ name, value }) => [name, value])).toEqual([
    ['subject', ''],
    ['Script', 'kept'],
  ])
})

test('a new Python task starts with a script; changing the kind replaces it only if it is unchanged or empty', () => {
  const scriptOf = ({ kindParams }: TaskDraft) => kindParams.find(({ name }) => name === 'Script')?.value
  const sql = { ...python, definitionName: 'sql-query', openParams: false }
  const first = newTask(python, 'Scripts')
  const starter = scriptOf(first)
  expect(starter).toContain('read_input("Name")')
  expect(scriptOf(newTask(sql, 'Scripts'))).toBe('')
  expect(scriptOf(withKind(first, sql))).toBe('')
  expect(scriptOf(withKind(withKind(first, sql), python))).toBe(starter)
  const write = (value: string) => ({
    ...first,
    kindParams: first.kindParams.map((each) => ({ ...each, value })),
  })
  expect(scriptOf(withKind(write(' \n'), python))).toBe(starter)
  expect(scriptOf(withKind(write('print(1)'), sql))).toBe('print(1)')
})

test('a new parameter gets the next free name and a unique key', () => {
  let draft = withParam(withParam(newTask(python, 'Scripts')))
  draft = withParam({ ...draft, ownParams: draft.ownParams.slice(1) })
  expect(draft.ownParams.map(({ name, key }) => [name, key])).toEqual([
    ['Input #2', 1],
    ['Input #1', 2],
  ])
})
