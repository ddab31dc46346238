import { expect, test } from 'vitest'
import type { IngestChanges } from './ingest-changes.ts'
import { createSymbolChanges } from './symbol-changes.ts'

const ingested: IngestChanges = { columnIds: [1], series: [] }

test('reports the data of a change, but only the end of concurrent changes', () => {
  const changes = createSymbolChanges()
  const reports: [number, IngestChanges | undefined][] = []
  changes.listen((groupId, what) => reports.push([groupId, what]))

  changes.begin(1)(ingested)
  expect(reports.splice(0)).toEqual([[1, ingested]])

  const first = changes.begin(1)
  const second = changes.begin(1)
  const other = changes.begin(2)
  second(ingested)
  first(ingested)
  other(ingested)
  expect(reports.splice(0)).toEqual([
    [1, undefined],
    [1, undefined],
    [2, ingested],
  ])

  changes.begin(1)(ingested)
  expect(reports).toEqual([[1, ingested]])
})

test('the state of a group differs after each change, and is undefined during one', () => {
  const changes = createSymbolChanges()
  const before = changes.stateOf(1)
  const end = changes.begin(1)
  expect(changes.stateOf(1)).toBeUndefined()
  end(ingested)
  expect(changes.stateOf(1)).not.toBe(before)
})
