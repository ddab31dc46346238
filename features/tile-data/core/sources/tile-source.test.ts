import { expect, test } from 'vitest'
import { emptyContent, sourceTypes, type Tile } from '../../contract/index.ts'
import { dataPrepOf } from '../insight/tile-query.ts'
import { possibleSourceTiles, resolveSource, tileSourceOf } from './tile-source.ts'

const tile = (id: string, source?: object, more: object = {}): Tile => ({
  id,
  title: id,
  type: 'Table',
  ...(source ? { source } : {}),
  ...more,
})
const from = (id: string, other: string) => tile(id, { type: 'SOURCE_TILE', value: other })

test('IN-131 IN-132 IN-133 the source of a tile is a type and a value', () => {
  expect(sourceTypes.toSorted()).toEqual(['DATA_PREP', 'EDITOR', 'FILE', 'SOURCE_TILE'])
  expect(tileSourceOf(tile('a'), undefined)).toEqual({ kind: 'series' })
  expect(tileSourceOf(tile('a', { type: 'DATA_PREP', value: 'a' }), undefined)).toEqual({ kind: 'series' })
  expect(tileSourceOf(tile('a', { type: 'DATA_PREP', value: 'BASKET' }), undefined)).toEqual({
    kind: 'basket',
  })
  expect(tileSourceOf(tile('a', { type: 'data_prep', value: { id: '1' } }), undefined)).toEqual({
    kind: 'dataPrep',
    dataPrep: { id: '1' },
  })
  expect(
    tileSourceOf(tile('a', { type: 'FILE', value: { groupName: 'G', name: 'f.csv' } }), undefined),
  ).toEqual({
    kind: 'file',
    file: { groupName: 'G', fileName: 'f.csv' },
  })
  expect(tileSourceOf(tile('a', { type: 'EDITOR' }, { templateContent: 'a,b' }), undefined)).toEqual({
    kind: 'text',
    text: 'a,b',
  })
  expect(tileSourceOf(from('a', 'b'), undefined)).toEqual({ kind: 'tile', tileId: 'b' })
})

test('IN-133 a source tile is referenced by its id and not by its title', () => {
  const [named, titled] = [tile('b', undefined, { title: 'x' }), tile('x', undefined, { title: 'b' })]
  const reader = from('a', 'b')
  expect(resolveSource(reader, { tiles: [reader, titled, named] })).toMatchObject({ tile: { id: 'b' } })
})

test('IN-316 the data prep of a tile contains a name, an output group and symbols; without symbols it references a saved one', () => {
  const whole = { name: 'P', outputGroup: 'G', symbols: [{ groupName: 'G', symbols: { Code: 'B' } }] }
  expect(dataPrepOf({ ...emptyContent(), datapreps: { a: whole } }, 'a')).toEqual(whole)
  const stored = { name: 'P', outputGroup: 'G', symbols: [] }
  expect(tileSourceOf(tile('a'), stored)).toEqual({
    kind: 'dataPrep',
    dataPrep: { groupName: 'G', name: 'P' },
  })
  const own = { ...stored, symbols: [{ groupName: 'G', symbols: {} }] }
  expect(tileSourceOf(tile('a'), own)).toEqual({ kind: 'series' })
})

test('the code of a code tile is not data', () => {
  const code = tile('a', { type: 'FILE', value: { groupName: 'G', fileName: 't.ftl' } }, { type: 'CODE' })
  expect(tileSourceOf(code, undefined)).toEqual({ kind: 'series' })
  const typed = { ...code, templateContent: '<p>', dataSource: { type: 'EDITOR' } }
  expect(tileSourceOf(typed, undefined)).toEqual({ kind: 'text', text: '' })
  expect(tileSourceOf({ ...code, dataSource: { type: 'SOURCE_TILE', value: 'b' } }, undefined)).toEqual({
    kind: 'tile',
    tileId: 'b',
  })
})

test('a chain of tiles is followed to its end', () => {
  const file = tile('c', { type: 'FILE', value: { groupName: 'G', fileName: 'f' } })
  const tiles = [from('a', 'b'), from('b', 'c'), file]
  expect(resolveSource(tiles[0]!, { tiles })).toMatchObject({ tile: file, source: { kind: 'file' } })
})

test('cycles and missing tiles are rejected with a message', () => {
  const tiles = [from('a', 'b'), from('b', 'c'), from('c', 'b'), from('d', 'gone'), from('e', 'e')]
  const problem = (at: number) => resolveSource(tiles[at]!, { tiles })
  expect(problem(0)).toMatchObject({ problem: expect.stringContaining('Circular data source: b → c → b.') })
  expect(problem(3)).toMatchObject({ problem: expect.stringContaining('no longer exists') })
  expect(problem(4)).toMatchObject({ problem: expect.stringContaining('e → e') })
})

test('offers only source tiles that do not form a cycle', () => {
  const tiles = [tile('a'), from('b', 'a'), from('c', 'b'), tile('t', undefined, { type: 'Text' })]
  expect(possibleSourceTiles(tiles[0]!, { tiles })).toEqual([])
  expect(possibleSourceTiles(tiles[2]!, { tiles }).map(({ id }) => id)).toEqual(['a', 'b'])
})
