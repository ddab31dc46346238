import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addRecentTask, recentTasks, recentTasksKey } from './recent-tasks.ts'

beforeEach(() => {
  const entries = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('IN-422 the five most recent tasks are stored; using a task again moves it to the front', () => {
  for (let number = 1; number <= 6; number++) addRecentTask({ name: `t${number}`, groupName: 'Scripts' })
  expect(recentTasks().map(({ name }) => name)).toEqual(['t6', 't5', 't4', 't3', 't2'])
  addRecentTask({ name: 't3', groupName: 'Scripts' })
  expect(recentTasks().map(({ name }) => name)).toEqual(['t3', 't6', 't5', 't4', 't2'])
  addRecentTask({ name: 't3', groupName: '' })
  expect(recentTasks()[0]).toEqual({ name: 't3', groupName: '' })
})

test('IN-426 an unreadable stored list counts as empty and is replaced', () => {
  for (const broken of ['{', 'null', '7', '"text"', '[null, 3, {"name":"","groupName":"g"}, {"name":"t"}]']) {
    localStorage.setItem(recentTasksKey, broken)
    expect(recentTasks()).toEqual([])
  }
  addRecentTask({ name: 't1', groupName: 'Scripts' })
  expect(recentTasks()).toHaveLength(1)
})
