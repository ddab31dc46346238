import { expect, test } from 'vitest'
import { refusalOf, type PipelineUse } from './index.ts'

const allowed: PipelineUse = { isExecuting: false, canWrite: true, tasks: [] }
const withGroup = (value: string, name = 'groupName') => ({
  ...allowed,
  tasks: [{ taskReadableName: 'Load', taskOverrides: { params: [{ name, type: 'INPUT' as const, value }] } }],
})
const actions = ['run', 'save'] as const

test('DP-444 DP-445 DP-446 runs and saves are rejected during a run, without write access, and with an unresolved group', () => {
  for (const action of actions) {
    expect(refusalOf(action, allowed)).toBeUndefined()
    expect(refusalOf(action, { ...allowed, isExecuting: true })).toContain('running')
    expect(refusalOf(action, { ...allowed, canWrite: false })).toContain('write access to the creator')
    expect(refusalOf(action, withGroup('{ID:x}'))).toContain('“groupName” of “Load” refers to a group')
    expect(refusalOf(action, withGroup('{ID:'))).toContain('Choose a group')
    for (const value of ['Prices', '', ' {ID:x}', 'a{ID:x}', '{id:x}'])
      expect(refusalOf(action, withGroup(value))).toBeUndefined()
    expect(refusalOf(action, withGroup('{ID:x}', 'text'))).toBeUndefined()
    expect(
      refusalOf(action, {
        ...withGroup('{ID:x}', 'target'),
        isGroupParam: (index, name) => index === 0 && name === 'target',
      }),
    ).toContain('“target” of “Load”')
  }
})
