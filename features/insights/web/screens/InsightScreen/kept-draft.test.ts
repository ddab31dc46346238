import { describe, expect, test } from 'vitest'
import { emptyContent } from '../../../contract/index.ts'
import { forgetKeptDraft, keepDraft, readKeptDraft } from './kept-draft.ts'

function memory(): Storage {
  const items = new Map<string, string>()
  return {
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  } as never
}

const draft = { userName: 'anna', path: '/Insight/Reports/Oil', fid: '7', content: emptyContent() }

describe('a draft that outlives the session', () => {
  test('is read by the same user on the same page, and by nobody else', () => {
    const storage = memory()
    keepDraft(storage, draft)
    expect(readKeptDraft(storage, draft)).toEqual(draft)
    expect(readKeptDraft(storage, { ...draft, userName: 'ben' })).toBeUndefined()
    expect(readKeptDraft(storage, { ...draft, path: '/Insight/Reports/Gas' })).toBeUndefined()
    forgetKeptDraft(storage)
    expect(readKeptDraft(storage, draft)).toBeUndefined()
  })

  test('a storage that is full or damaged keeps none and breaks nothing', () => {
    const full = {
      setItem: () => {
        throw new Error('full')
      },
      getItem: () => '{',
    } as never
    keepDraft(full, draft)
    expect(readKeptDraft(full, draft)).toBeUndefined()
  })
})
