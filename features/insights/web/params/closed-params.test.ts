import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wereParamsClosed, storeParamsClosed } from './closed-params.ts'

/** The used subset of a browser's storage. */
function storageArea() {
  const entries = new Map<string, string>()
  return {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  }
}

beforeEach(() => vi.stubGlobal('localStorage', storageArea()))
afterEach(() => vi.unstubAllGlobals())

const insight = (name: string) => ({ groupName: 'Reports', insightName: name })

test('IN-425 each insight has its own flag, which is cleared when its parameters are opened again', () => {
  storeParamsClosed(insight('Oil'), true)
  storeParamsClosed(insight('Gas'), true)
  storeParamsClosed(insight('Oil'), false)
  expect(wereParamsClosed(insight('Oil'))).toBe(false)
  expect(wereParamsClosed(insight('Gas'))).toBe(true)
  expect(wereParamsClosed({ ...insight('Gas'), groupName: 'Archive' })).toBe(false)
})

test('stores the last closed insights without duplicates', () => {
  for (let turn = 1; turn <= 60; turn++) storeParamsClosed(insight(`n${turn}`), true)
  storeParamsClosed(insight('n11'), true)
  storeParamsClosed(insight('n61'), true)
  const isStored = (name: string) => wereParamsClosed(insight(name))
  expect(['n10', 'n11', 'n12', 'n13', 'n61'].map(isStored)).toEqual([false, true, false, true, true])
  expect(JSON.parse(localStorage.getItem('ng-closed-params')!)).toHaveLength(50)
})

test('IN-426 an unreadable stored list counts as empty', () => {
  for (const broken of ['{', '7', 'null', '[null, 1, "Oil", {}]']) {
    localStorage.setItem('ng-closed-params', broken)
    expect(wereParamsClosed(insight('Oil'))).toBe(false)
  }
})
