import { expect, test } from 'vitest'
import type { BroughtSeries } from './brought-series.ts'
import { createSymbolChanges } from './symbol-changes.ts'

const brought: BroughtSeries = { columnIds: [1], series: [] }

test('what a change brought is told, but of changes that ran at the same time only that they ended', () => {
  const changes = createSymbolChanges()
  const told: [number, BroughtSeries | undefined][] = []
  changes.listen((groupId, what) => told.push([groupId, what]))

  changes.begin(1)(brought)
  expect(told.splice(0)).toEqual([[1, brought]])

  const first = changes.begin(1)
  const second = changes.begin(1)
  const other = changes.begin(2)
  second(brought)
  first(brought)
  other(brought)
  expect(told.splice(0)).toEqual([
    [1, undefined],
    [1, undefined],
    [2, brought],
  ])

  changes.begin(1)(brought)
  expect(told).toEqual([[1, brought]])
})

test('the state of a group is another one after each change, and none while one runs', () => {
  const changes = createSymbolChanges()
  const before = changes.stateOf(1)
  const end = changes.begin(1)
  expect(changes.stateOf(1)).toBeUndefined()
  end(brought)
  expect(changes.stateOf(1)).not.toBe(before)
})
