import { expect, test } from 'vitest'
import { idOf, pathTo, treeLines } from './tree-lines.ts'

const groups = [{ groupName: 'Prices', symbolCount: 3 }]
const open = { key: 'Code', isLastKey: false, total: 3, error: null }

test('an open group shows the values of its first key; values with one symbol cannot be opened', () => {
  const branches = [
    { value: 'A', symbolCount: 2 },
    { value: '', symbolCount: 1 },
  ]
  const lines = treeLines(groups, new Map([['Prices/', { ...open, branches }]]))
  expect(lines).toMatchObject([
    { id: 'Prices/', level: 1, label: 'Prices', count: 3, isOpen: true },
    { id: 'Prices/Code=A', level: 2, label: 'A', keyName: 'Code', count: 2, isOpen: false },
    { id: 'Prices/Code=', level: 2, label: '', count: 1, node: { branch: { Code: '' } } },
    { level: 2, kind: 'rest', label: '1 more; use the filters' },
  ])
  expect(lines[2]).not.toHaveProperty('isOpen')
})

test('values of the last key are leaves; missing levels are loading', () => {
  const step = { ...open, isLastKey: true, total: 1, branches: [{ value: 'A', symbolCount: 3 }] }
  expect(treeLines(groups, new Map([['Prices/', step]]))[1]).not.toHaveProperty('isOpen')
  const loading = { ...open, key: undefined, branches: undefined }
  expect(treeLines(groups, new Map([['Prices/', loading]]))[1]).toMatchObject({ kind: 'wait', level: 2 })
  const error = new Error('gone')
  expect(treeLines(groups, new Map([['Prices/', { ...open, branches: [], error }]]))[1]).toMatchObject({
    error,
  })
  expect(treeLines(groups, new Map())).toMatchObject([{ isOpen: false }])
})

test('the path to a node has one key per level', () => {
  const node = { groupName: 'Prices', branch: { Code: 'A', Period: 'D' } }
  expect(pathTo(node).map(idOf)).toEqual(['Prices/', 'Prices/Code=A', 'Prices/Code=A|Period=D'])
})
