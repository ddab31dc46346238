import { describe, expect, test } from 'vitest'
import {
  earlierLocationKey,
  endedDraftsKey,
  maxEndedDrafts,
  readEndedDraft,
  readStoredDraft,
  removeDraftsOfOthers,
  removeEndedDraft,
  removeStoredDraft,
  storeDraft,
  storeEndedDraft,
} from './stored-draft.ts'

/** A storage in memory; above `maxLength` characters it is full. */
function memory(maxLength = Infinity): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem(name: string, value: string) {
      if (value.length > maxLength) throw new Error('full')
      items.set(name, value)
    },
    removeItem: (name: string) => void items.delete(name),
  } as never
}

const key = 'ng-draft'
const draft = { userName: 'anna', key, location: 'Reports/Oil', time: 5, content: { text: 'not saved' } }
const full = {
  setItem: () => {
    throw new Error('full')
  },
  getItem: () => '{',
} as never

describe('a draft that outlives the session', () => {
  test('is available to the same user at the same location, and to nobody else', () => {
    const storage = memory()
    storeDraft(storage, draft)
    expect(readStoredDraft(storage, draft)).toEqual(draft)
    expect(readStoredDraft(storage, { ...draft, userName: 'ben' })).toBeUndefined()
    expect(readStoredDraft(storage, { ...draft, location: 'Reports/Gas' })).toBeUndefined()
    expect(readStoredDraft(storage, { ...draft, key: 'ng-other' })).toBeUndefined()
    removeStoredDraft(storage, key)
    expect(readStoredDraft(storage, draft)).toBeUndefined()
  })

  test('is readable in the format of earlier versions', () => {
    const storage = memory()
    const earlier = { userName: 'anna', [earlierLocationKey]: 'Reports/Oil', content: { text: 'not saved' } }
    storage.setItem(key, JSON.stringify(earlier))
    expect(readStoredDraft(storage, draft)?.content).toEqual({ text: 'not saved' })
    expect(readStoredDraft(storage, { ...draft, location: 'Reports/Gas' })).toBeUndefined()
  })

  test('is not stored if storage is full or damaged, and causes no error', () => {
    storeDraft(full, draft)
    expect(readStoredDraft(full, draft)).toBeUndefined()
  })
})

describe('a draft that outlives its page', () => {
  test('is available to the same user and object: first the draft of the same tab, then the newest one', () => {
    const storage = memory()
    storeEndedDraft(storage, 'one', draft)
    storeEndedDraft(storage, 'two', { ...draft, time: 6 })
    storeEndedDraft(storage, 'three', { ...draft, time: 7 })
    storeEndedDraft(storage, 'two', { ...draft, location: 'Reports/Gas', time: 8 })
    expect(readEndedDraft(storage, 'one', draft)?.time).toBe(5)
    expect(readEndedDraft(storage, 'four', draft)).toMatchObject({ tab: 'three', time: 7 })
    expect(readEndedDraft(storage, 'one', { ...draft, userName: 'ben' })).toBeUndefined()
    expect(readEndedDraft(storage, 'one', { ...draft, key: 'ng-other' })).toBeUndefined()
    removeEndedDraft(storage, 'three', draft)
    expect(readEndedDraft(storage, 'four', draft)).toMatchObject({ tab: 'two', time: 6 })
    storeEndedDraft(storage, 'two', { ...draft, time: 9 })
    removeEndedDraft(storage, 'two', draft)
    removeEndedDraft(storage, 'one', draft)
    expect(readEndedDraft(storage, 'four', draft)).toBeUndefined()
    expect(readEndedDraft(storage, 'four', { ...draft, location: 'Reports/Gas' })?.time).toBe(8)
  })

  test('is removed when another user signs in', () => {
    const storage = memory()
    storeEndedDraft(storage, 'one', draft)
    storeEndedDraft(storage, 'one', { ...draft, userName: 'ben' })
    removeDraftsOfOthers(storage, 'ben')
    expect(readEndedDraft(storage, 'one', draft)).toBeUndefined()
    expect(readEndedDraft(storage, 'one', { ...draft, userName: 'ben' })?.time).toBe(5)
    removeDraftsOfOthers(storage, 'carol')
    expect(storage.getItem(endedDraftsKey)).toBeNull()
  })

  test('replaces the oldest drafts when there are too many or the storage is full', () => {
    const storage = memory()
    for (let at = 0; at <= maxEndedDrafts; at++)
      storeEndedDraft(storage, 'one', { ...draft, location: `Reports/${at}` })
    expect(readEndedDraft(storage, 'one', { ...draft, location: 'Reports/0' })).toBeUndefined()
    expect(readEndedDraft(storage, 'one', { ...draft, location: 'Reports/1' })).toBeDefined()

    const small = memory(2 * JSON.stringify(draft).length)
    for (const location of ['a', 'b', 'c']) storeEndedDraft(small, 'one', { ...draft, location })
    const stored = ['a', 'b', 'c'].filter((location) => readEndedDraft(small, 'one', { ...draft, location }))
    expect(stored.at(-1)).toBe('c')
    expect(stored).not.toContain('a')
  })

  test('is absent if storage is damaged, and causes no error', () => {
    storeEndedDraft(full, 'one', draft)
    expect(readEndedDraft(full, 'one', draft)).toBeUndefined()
    const storage = memory()
    for (const broken of ['null', '7', '[7, null, {}]', '{"tab":"one"}']) {
      storage.setItem(endedDraftsKey, broken)
      expect(readEndedDraft(storage, 'one', draft)).toBeUndefined()
    }
  })
})
