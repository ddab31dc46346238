import { spawnSync } from 'node:child_process'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readSqlFunctions } from './generate-sql-functions.mjs'

test('the reference of SQL functions matches the migrations', () => {
  const script = fileURLToPath(new URL('./generate-sql-functions.mjs', import.meta.url))
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('the newest definition of a function is in effect, with the newest comment; a dropped function is absent', () => {
  const at = (name, sql) => ({ path: `features/prices/server/migrations/${name}.sql`, sql })
  const functions = readSqlFunctions([
    at('2026-01-02T0000-later', 'CREATE OR REPLACE FUNCTION one() returns int;\ndrop function two;\n'),
    at(
      '2026-01-01T0000-first',
      '-- Returns one,\n-- always.\ncreate function one() returns int;\n\ncreate function two() returns int;\n',
    ),
    at('2026-01-03T0000-last', '-- Three.\ncreate function three() returns int;\n'),
  ])
  expect(functions).toEqual([
    {
      name: 'one',
      owner: 'features/prices',
      path: 'features/prices/server/migrations/2026-01-02T0000-later.sql',
      purpose: 'Returns one, always.',
      replaced: 1,
    },
    {
      name: 'three',
      owner: 'features/prices',
      path: 'features/prices/server/migrations/2026-01-03T0000-last.sql',
      purpose: 'Three.',
      replaced: 0,
    },
  ])
})
