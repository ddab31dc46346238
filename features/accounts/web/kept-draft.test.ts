import { describe, expect, test } from 'vitest'
import { forgetKeptDraft, keepDraft, readKeptDraft } from './kept-draft.ts'

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as never
}

const key = 'ng-draft'
const draft = { userName: 'anna', place: 'Reports/Oil', content: { text: 'not saved' } }

describe('a draft that outlives the session', () => {
  test('is read by the same user at the same place, and by nobody else', () => {
    const storage = memory()
    keepDraft(storage, key, draft)
    expect(readKeptDraft(storage, key, draft)).toEqual(draft.content)
    expect(readKeptDraft(storage, key, { ...draft, userName: 'ben' })).toBeUndefined()
    expect(readKeptDraft(storage, key, { ...draft, place: 'Reports/Gas' })).toBeUndefined()
    expect(readKeptDraft(storage, 'ng-other', draft)).toBeUndefined()
    forgetKeptDraft(storage, key)
    expect(readKeptDraft(storage, key, draft)).toBeUndefined()
  })

  test('a storage that is full or damaged keeps none and breaks nothing', () => {
    const full = {
      setItem: () => {
        throw new Error('full')
      },
      getItem: () => '{',
    } as never
    keepDraft(full, key, draft)
    expect(readKeptDraft(full, key, draft)).toBeUndefined()
  })
})
