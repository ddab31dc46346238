import { expect, test } from 'vitest'
import type { InsightVersion, VersionChanges } from '../../contract/index.ts'
import { whatChanged } from './what-changed.ts'

function version(
  changes: Partial<VersionChanges> | null,
  more: Partial<InsightVersion> = {},
): InsightVersion {
  const none = {
    added: [],
    removed: [],
    changed: [],
    reordered: false,
    renamedFrom: null,
    moved: false,
    rest: [],
  }
  return {
    fid: 'f',
    version: 2,
    author: 'anna',
    saved: '2026-01-01T00:00:00',
    tiles: 3,
    readable: true,
    changes: changes && { ...none, ...changes },
    ...more,
  }
}

test('a version lists its changes, starting with a new name and a new group', () => {
  expect(whatChanged(version({ added: ['Gamma'], reordered: true, rest: ['inputParams'] }))).toBe(
    '“Gamma” added, tiles reordered, input parameters',
  )
  expect(whatChanged(version({ renamedFrom: 'Oil desk', changed: ['Alpha'] }))).toBe(
    'renamed from “Oil desk”, “Alpha” changed',
  )
  expect(whatChanged(version({ moved: true }))).toBe('moved from another group')
})

test('a version without known changes states that tiles and settings are unchanged', () => {
  expect(whatChanged(version({}))).toBe('No changes to tiles or settings')
})

test('reports the number of tiles of the first version and of versions that cannot be compared', () => {
  expect(whatChanged(version(null, { version: 1 }))).toBe('First version, 3 tiles')
  expect(whatChanged(version(null))).toBe('3 tiles')
  expect(whatChanged(version(null, { readable: false }))).toBe('The definition cannot be read')
})
