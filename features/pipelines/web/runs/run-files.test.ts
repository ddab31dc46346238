import { expect, test } from 'vitest'
import { objectIdsOf } from './run-files.ts'

const file = (id: string) => JSON.stringify({ id, name: `${id}.csv`, groupName: 'Prices' })
const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'

test('input files of a task come before the other values of the run, each listed once', () => {
  const values = [
    { name: '${11111111-0d43-4a43-9e01-0a1d2c3b4e5f}', value: file('other') },
    { name: reference, value: file('linked') },
    { name: 'count', value: '{"id": "7"}' },
    { name: 'text', value: 'plain' },
  ]
  const params = [
    { value: file('chosen') },
    { value: reference },
    { value: file('computed'), mode: 'expression' },
    { value: '' },
    { value: '${99999999-0d43-4a43-9e01-0a1d2c3b4e5f}' },
  ]
  expect(objectIdsOf(params, values)).toEqual(['chosen', 'linked', 'other'])
  expect(objectIdsOf([], [])).toEqual([])
})
