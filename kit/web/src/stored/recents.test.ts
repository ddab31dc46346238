import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { forgetRecent, keepRecent, recents, recentsKey, recentTypes } from './recents.ts'

/** The parts of browser storage that are used here. */
function storageArea() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
}

beforeEach(() => vi.stubGlobal('localStorage', storageArea()))
afterEach(() => vi.unstubAllGlobals())

const namesOf = (type: string) => recents().flatMap((recent) => (recent.type === type ? [recent.name] : []))

test('IN-423 SH-197 SH-198 stores five recents of each type, newest first, each with type, name and groupName', () => {
  expect([...recentTypes].toSorted()).toEqual(['DATA_PREP', 'GROUP', 'INSIGHT', 'PIPELINE'])
  for (const type of recentTypes)
    for (let turn = 1; turn <= 6; turn++) keepRecent({ type, name: `n${turn}`, groupName: 'Prices' })
  for (const type of ['PIPELINE', 'DATA_PREP', 'GROUP', 'INSIGHT'])
    expect(namesOf(type)).toEqual(['n6', 'n5', 'n4', 'n3', 'n2'])
  keepRecent({ type: 'GROUP', name: 'n3', groupName: 'Prices' })
  expect(namesOf('GROUP')).toEqual(['n3', 'n6', 'n5', 'n4', 'n2'])
  const stored = JSON.parse(localStorage.getItem('ng-recents')!) as unknown[]
  expect(stored).toHaveLength(20)
  expect(stored).toContainEqual({ type: 'INSIGHT', name: 'n6', groupName: 'Prices' })
})

test('stores objects with the same name in two groups separately', () => {
  keepRecent({ type: 'INSIGHT', name: 'Oil', groupName: 'A' })
  keepRecent({ type: 'INSIGHT', name: 'Oil', groupName: 'B' })
  forgetRecent({ type: 'INSIGHT', name: 'Oil', groupName: 'B' })
  expect(recents()).toEqual([{ type: 'INSIGHT', name: 'Oil', groupName: 'A' }])
})

test('IN-426 treats an unreadable stored list as empty, and can write it again', () => {
  for (const broken of ['{', 'null', '7', '{"type":"GROUP"}', '"text"']) {
    localStorage.setItem(recentsKey, broken)
    expect(recents()).toEqual([])
  }
  keepRecent({ type: 'GROUP', name: 'Prices', groupName: 'Prices' })
  expect(namesOf('GROUP')).toEqual(['Prices'])
})

test('SH-200 drops entries without a name or with the name "undefined"', () => {
  const whole = { type: 'GROUP', name: 'Prices', groupName: 'Prices' }
  const odd = [
    { ...whole, name: 'undefined' },
    { ...whole, name: '' },
    { ...whole, groupName: 'undefined' },
    { type: 'GROUP', groupName: 'Prices' },
    { ...whole, type: 'TASK' },
    null,
    'Prices',
  ]
  localStorage.setItem(recentsKey, JSON.stringify([...odd, whole]))
  expect(recents()).toEqual([whole])
})

test('stores nothing and throws nothing when the browser forbids storage', () => {
  const forbidden = () => {
    throw new Error('denied')
  }
  vi.stubGlobal('localStorage', { getItem: forbidden, setItem: forbidden })
  keepRecent({ type: 'GROUP', name: 'Prices', groupName: 'Prices' })
  expect(recents()).toEqual([])
})
