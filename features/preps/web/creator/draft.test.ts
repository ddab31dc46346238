import { expect, test } from 'vitest'
import { startHistory } from '@headwater/web-kit'
import { newDataPrep, newDataPrepSymbol } from '../../contract/index.ts'
import { draftProblem, reduceDraft, type DraftAction } from './draft.ts'

const { name: _name, symbols: _symbols, ...settings } = newDataPrep('g')
const begin = startHistory({ settings, basket: [] })
const after = (...actions: DraftAction[]) => actions.reduce(reduceDraft, begin)

test('changes of one field are one step; undo and redo move back and forth', () => {
  const typed = after(
    { type: 'set', settings: { dateFormat: 'y' } },
    { type: 'set', settings: { dateFormat: 'yy' } },
    { type: 'set', settings: { order: 'desc' } },
  )
  const undone = reduceDraft(typed, { type: 'undo' })
  expect(undone.present.settings).toMatchObject({ dateFormat: 'yy', order: 'asc' })
  const start = reduceDraft(undone, { type: 'undo' })
  expect(start.present).toBe(begin.present)
  expect(reduceDraft(start, { type: 'undo' })).toBe(start)
  expect(reduceDraft(undone, { type: 'redo' }).present).toBe(typed.present)
})

test('an unchanged basket adds no step', () => {
  expect(after({ type: 'basket', change: (basket) => basket })).toBe(begin)
})

test('a change after an undo is a separate step, even in the same field', () => {
  const typed = after(
    { type: 'set', settings: { dateFormat: 'y' } },
    { type: 'undo' },
    { type: 'set', settings: { dateFormat: 'yy' } },
  )
  expect(typed.present.settings.dateFormat).toBe('yy')
  expect(reduceDraft(typed, { type: 'undo' }).present).toBe(begin.present)
})

test('a draft can be queried if each entry has a group, its own or that of the settings', () => {
  const entry = (own: object) => ({ key: '1', entry: { ...newDataPrepSymbol({}), ...own } })
  const problem = (dataGroupName: string | null, ...basket: ReturnType<typeof entry>[]) =>
    draftProblem({ settings: { ...settings, dataGroupName }, basket })
  expect(problem('g')).toBe('The basket is empty.')
  expect(problem('g', entry({}))).toBeUndefined()
  expect(problem(null, entry({ groupName: 'own' }))).toBeUndefined()
  expect(problem(null, entry({}), entry({ groupName: 'own' }))).toBe(
    '1 entry of the basket cannot be queried: The entry has no group.',
  )
})
