import { expect, test } from 'vitest'
import { referenceOf } from '@headwater/runs/contract'
import type { Task } from '@headwater/tasks/contract'
import { pipelineTask } from '../../contract/index.ts'
import { onlyLink, portsOf } from './task-ports.ts'

const input = (name: string, more: object = {}) => ({
  name,
  type: 'INPUT',
  valueType: 'TEXT',
  value: '',
  defaultValue: '',
  optional: true,
  dynamic: false,
  ...more,
})
const output = (name: string, valueType: string) => input(name, { type: 'OUTPUT', valueType })
const taskWith = (...params: object[]) => ({ definitionName: 'python-runner', params }) as unknown as Task
const dataWith = (...params: object[]) =>
  pipelineTask.parse({ id: 'a', taskReadableName: 'A', taskName: 'store', taskOverrides: { params } })
const noLinks = { in: new Set<string>(), out: new Set<string>() }
const isSet = { paramName: 'Symbol name', operator: 'is set', value: '' }
const store = taskWith(input('Symbol name'), input('Name of the series', { condition: isSet }))
const namesOf = (data: ReturnType<typeof dataWith>, linked = noLinks) =>
  portsOf(data, store, linked)
    .filter(({ isOrder }) => !isOrder)
    .map(({ id }) => id)

test('an input whose field is hidden has a port only if it has a link', () => {
  const both = ['Symbol name', 'Name of the series']
  expect(namesOf(dataWith())).toEqual(['Symbol name'])
  expect(namesOf(dataWith({ name: 'Symbol name', value: 'Commodity' }))).toEqual(both)
  expect(namesOf(dataWith({ name: 'Symbol name', value: 'x', mode: 'expression' }))).toEqual(both)
  expect(namesOf(dataWith(), { in: new Set(['Symbol name']), out: new Set() })).toEqual(both)
  expect(namesOf(dataWith(), { in: new Set(['Name of the series']), out: new Set() })).toEqual(both)
  const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')
  expect(namesOf(dataWith({ name: 'Symbol name', value: reference }))).toEqual(both)
})

test('two tasks have an only link if one output fits one input', () => {
  const link = (from: Task, to: Task) =>
    onlyLink(portsOf(dataWith(), from, noLinks), portsOf(dataWith(), to, noLinks))
  const day = input('Day', { valueType: 'DATE' })
  const file = input('Source', { valueType: 'FILE' })
  const gives = taskWith(output('Result', 'FILE'))
  expect(link(gives, taskWith(file, day))).toEqual({ from: 'Result', to: 'Source' })
  expect(link(gives, taskWith(day))).toBeUndefined()
  // A text accepts every value.
  expect(link(gives, taskWith(file, input('Note')))).toBeUndefined()
  expect(link(taskWith(output('One', 'FILE'), output('Two', 'FILE')), taskWith(file))).toBeUndefined()
  expect(link(taskWith(), taskWith())).toBeUndefined()
})
