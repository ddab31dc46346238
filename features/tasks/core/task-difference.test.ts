import { expect, test } from 'vitest'
import { taskParam } from '../contract/index.ts'
import { type ComparedTask, taskDifference } from './task-difference.ts'

const base: ComparedTask = {
  name: 'daily',
  groupName: 'Scripts',
  readableName: 'Daily',
  description: '',
  definitionName: 'python-runner',
  timeout: 60,
  memory: 256,
  isPaused: false,
  requirements: [],
  lockedPackages: [],
  params: [
    taskParam.parse({ name: 'Script', valueType: 'SCRIPT', value: 'print(1)' }),
    taskParam.parse({ name: 'Whom', defaultValue: 'World' }),
    taskParam.parse({ name: 'Old', type: 'OUTPUT' }),
  ],
}

test('two versions of a task differ in settings, in parameters by name, and in their scripts', () => {
  const after: ComparedTask = {
    ...base,
    memory: 512,
    isPaused: true,
    requirements: [{ name: 'pandas', version: '2.2.3' }],
    params: [
      taskParam.parse({ name: 'Script', valueType: 'SCRIPT', value: 'print(2)' }),
      taskParam.parse({ name: 'Whom', defaultValue: 'Brent', optional: true }),
      taskParam.parse({ name: 'Day', valueType: 'DATE' }),
    ],
  }
  expect(taskDifference(base, after)).toEqual({
    settings: [
      { label: 'Memory', before: '256 MiB', after: '512 MiB' },
      { label: 'Require approval', before: 'No', after: 'Yes' },
      { label: 'Packages', before: '', after: 'pandas 2.2.3' },
      { label: 'Input Whom', before: 'Text · default World', after: 'Text · optional · default Brent' },
      { label: 'Input Day', before: undefined, after: 'Date' },
      { label: 'Output Old', before: 'Text', after: undefined },
    ],
    scripts: [{ name: 'Script', before: 'print(1)', after: 'print(2)' }],
  })
  expect(taskDifference(base, base)).toEqual({ settings: [], scripts: [] })
})
