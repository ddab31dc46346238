import { describe, expect, test } from 'vitest'
import { removeStoredDraft, storeDraft, readStoredDraft } from './stored-draft.ts'

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as never
}

const key = 'ng-draft'
const draft = { userName: 'anna', location: 'Reports/Oil', content: { text: 'not saved' } }

describe('a draft that outlives the session', () => {
  test('is available to the same user at the same location, and to nobody else', () => {
    const storage = memory()
    storeDraft(storage, key, draft)
    expect(readStoredDraft(storage, key, draft)).toEqual(draft.content)
    expect(readStoredDraft(storage, key, { ...draft, userName: 'ben' })).toBeUndefined()
    expect(readStoredDraft(storage, key, { ...draft, location: 'Reports/Gas' })).toBeUndefined()
    expect(readStoredDraft(storage, 'ng-other', draft)).toBeUndefined()
    removeStoredDraft(storage, key)
    expect(readStoredDraft(storage, key, draft)).toBeUndefined()
  })

  test('with full or damaged storage stores no draft and causes no error', () => {
    const full = {
      setItem: () => {
        throw new Error('full')
      },
      getItem: () => '{',
    } as never
    storeDraft(full, key, draft)
    expect(readStoredDraft(full, key, draft)).toBeUndefined()
  })
})
