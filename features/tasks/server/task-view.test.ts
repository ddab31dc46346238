import { expect, test } from 'vitest'
import { createTaskKinds } from './task-kinds.ts'
import { builtInTask, toTask } from './task-view.ts'

test('DP-394 a task has the picture and the number of processors of its kind', () => {
  const kinds = createTaskKinds()
  const kind = {
    definitionId: 'model',
    definitionName: 'model',
    readableName: 'Model',
    category: 'Python',
    description: 'Fits a model.',
    imageUrl: '/model.svg',
    cpu: 4,
    memory: 256,
    timeout: 30,
    params: [],
    openParams: true,
    repeatable: true,
    readsReferences: true,
    run: async () => ({ status: 'INFO' as const, message: '' }),
  }
  kinds.add(kind)
  const stored = {
    id: '5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f',
    name: 'own',
    groupId: 1,
    groupName: 'Models',
    version: 1,
    newestVersion: 1,
    savedAt: new Date(0),
    savedBy: 'anna',
    content: {
      definitionName: 'model',
      readableName: '',
      description: '',
      isPaused: false,
      params: [],
    },
  }
  expect(toTask(kinds, stored as never, true)).toMatchObject({
    imageUrl: '/model.svg',
    cpu: 4,
    memory: 256,
    timeout: 30,
  })
  expect(builtInTask(kind)).toMatchObject({ imageUrl: '/model.svg', cpu: 4 })
})
