import { expect, test } from 'vitest'
import type { TaskParam } from '../../contract/index.ts'
import { columnsInBeginning, fileIdsOf, sqlNamesOf } from './sql-names.ts'

const param = (name: string, valueType: TaskParam['valueType'], value = ''): TaskParam => ({
  name,
  type: 'INPUT',
  valueType,
  value,
  defaultValue: '',
  dynamic: false,
  optional: false,
  description: '',
})
const id = '00000000-0000-4000-8000-000000000000'

test('files, series and data queries are tables with their known columns; other inputs are values with a type', () => {
  const query = { keys: [{ groupName: 'G', symbols: { Code: 'A' }, columns: ['Close'] }, { groupName: 'G' }] }
  const params = [
    param('trades', 'FILE', JSON.stringify({ id, name: 'trades.csv' })),
    param('later', 'FILE'),
    param(
      'euro rates',
      'SERIES',
      JSON.stringify({ groupName: 'R', symbols: { Pair: 'EUR' }, column: 'Rate' }),
    ),
    param('base', 'JSON', JSON.stringify(query)),
    param('options', 'JSON', '{"a": 1}'),
    param('least', 'NUMBER'),
    param('codes', 'LIST'),
    param('name of it', 'TEXT'),
    param(' ', 'TEXT'),
    { ...param('File', 'FILE'), type: 'OUTPUT' as const },
  ]
  expect(fileIdsOf(params)).toEqual([id])
  expect(sqlNamesOf(params, (of) => (of === id ? ['Code', 'Amount'] : []))).toEqual({
    tables: {
      trades: ['Code', 'Amount'],
      later: [],
      'euro rates': ['Pair', 'Date', 'Rate'],
      base: ['Code', 'Date', 'Close'],
    },
    values: ['{options:String}', '{least:Float64}', '{codes:Array(String)}'],
  })
})

test('the columns of a file come from its first line', () => {
  expect(columnsInBeginning('\uFEFFCode;Day;"Amount; net"\n1;2;3\n')).toEqual(['Code', 'Day', 'Amount; net'])
  expect(columnsInBeginning('{"code":"A","price":1}\n{"code":"B"}\n')).toEqual(['code', 'price'])
  for (const other of ['', 'PAR1\u0000', 'PK\u0003\u0004', '[{"a":1}]', '{"cut', '"open'])
    expect([other, columnsInBeginning(other)]).toEqual([other, []])
})
