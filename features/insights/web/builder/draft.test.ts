import { describe, expect, test } from 'vitest'
import { emptyContent, type Tile } from '@headwater/tile-data/contract'
import { dataPrepOf, resolveSource } from '@headwater/tile-data/core'
import { newDraft, reduceDraft, type Draft, type DraftAction } from './draft.ts'
import { exportTile, importTile } from './tile-configuration.ts'

const tile = (id: string, more: object = {}): Tile => ({
  id,
  title: id.toUpperCase(),
  type: 'Chart',
  ...more,
})
const prep = (code: string) => ({ symbols: [{ groupName: 'G', symbols: { Code: code } }] })
const start = (...tiles: Tile[]) => newDraft({ ...emptyContent(), tiles })
const after = (draft: Draft, ...actions: DraftAction[]) => actions.reduce(reduceDraft, draft)
const titles = ({ content }: Draft) => content.tiles.map(({ title }) => title)

describe('tiles', () => {
  test('IN-138 IN-139 a new tile is inserted after the selected one and becomes the selected one', () => {
    const draft = after(
      start(tile('a'), tile('b')),
      { type: 'select', id: 'a' },
      { type: 'add', tile: tile('n') },
    )
    expect(titles(draft)).toEqual(['A', 'N', 'B'])
    expect(draft.selectedId).toBe('n')
    expect(titles(after(start(tile('a')), { type: 'add', tile: tile('n') }))).toEqual(['A', 'N'])
  })

  test('IN-122 a new tile gets a unique title', () => {
    const draft = after(start(tile('a')), { type: 'add', tile: tile('n', { title: 'A/' }) })
    expect(titles(draft)).toEqual(['A', 'A 2'])
  })

  test('the title of a tile follows its series until an author edits it; titles stay unique', () => {
    const series = (Code: string) => ({ groupName: 'G', symbolList: [{ Code }], column: 'Close' })
    const chart = (id: string) => tile(id, { title: 'Line chart', series: [] })
    const pick = (id: string, ...codes: string[]): DraftAction => ({
      type: 'changeData',
      id,
      dataPrep: { symbols: [] },
      fields: { series: codes.map(series) },
    })
    const added = after(
      start(),
      { type: 'add', tile: chart('a') },
      pick('a', 'AAPL'),
      { type: 'add', tile: chart('b') },
      pick('b', 'AAPL'),
    )
    expect(titles(added)).toEqual(['Close of AAPL', 'Close of AAPL (line chart)'])
    expect(titles(after(added, pick('b', 'MSFT')))).toEqual(['Close of AAPL', 'Close of MSFT'])
    expect(titles(after(added, pick('a')))).toEqual(['Line chart', 'Close of AAPL (line chart)'])
    const typed = after(added, { type: 'change', id: 'a', fields: { title: 'Prices' } }, pick('a', 'MSFT'))
    expect(titles(typed)).toEqual(['Prices', 'Close of AAPL (line chart)'])
    expect(titles(after(added, { type: 'undo' }))).toEqual(['Close of AAPL', 'Line chart'])
  })

  test('only the new tile is bound to the parameter that its series match', () => {
    const draft = newDraft({
      ...emptyContent(),
      tiles: [tile('a')],
      inputParams: { p: { keys: [{ symbolKey: 'Code' }] } },
    })
    const chart = tile('n', { series: [{ groupName: 'G', symbolList: [{ Code: 'X' }], column: 'Close' }] })
    const { tiles } = after(draft, { type: 'add', tile: chart }).content
    expect(tiles.map(({ id, sourceInputParamsId }) => [id, sourceInputParamsId])).toEqual([
      ['a', undefined],
      ['n', 'p'],
    ])
  })

  test('each resize of a tile is a separate undo step', () => {
    const draft = after(
      start(tile('a')),
      { type: 'resize', id: 'a', size: { tileWidth: 'half', tileHeight: 'half' } },
      { type: 'resize', id: 'a', size: { tileWidth: 'half', tileHeight: 'quarter' } },
      { type: 'resize', id: 'a', size: { tileWidth: 'half', tileHeight: 'quarter' } },
      { type: 'undo' },
    )
    expect(draft.content.tiles[0]).toMatchObject({ tileWidth: 'half', tileHeight: 'half' })
    expect(after(draft, { type: 'undo' }).content.tiles[0]).toEqual(tile('a'))
  })

  test('IN-140 a tile whose id equals a property name of every object is duplicated like any other', () => {
    const draft = after(start(tile('constructor')), { type: 'duplicate', id: 'constructor', newId: 'n' })
    expect(titles(draft)).toEqual(['CONSTRUCTOR', 'CONSTRUCTOR(1)'])
    expect(draft.content.datapreps).toEqual({})
    expect(dataPrepOf(draft.content, 'constructor')).toEqual({ symbols: [] })
  })

  test('IN-140 IN-141 a duplicate has a new title and id and a copy of the data, directly after the original', () => {
    const draft = after(
      start(tile('a', { source: { type: 'DATA_PREP', value: 'a' } }), tile('b')),
      { type: 'changeData', id: 'a', dataPrep: prep('B') },
      { type: 'duplicate', id: 'a', newId: 'n' },
    )
    expect(titles(draft)).toEqual(['A', 'A(1)', 'B'])
    expect(draft.content.tiles[0]).toMatchObject({ id: 'a', source: { type: 'DATA_PREP', value: 'a' } })
    expect(draft.content.tiles[1]).toEqual({
      ...draft.content.tiles[0],
      id: 'n',
      title: 'A(1)',
      source: { type: 'DATA_PREP', value: 'n' },
    })
    expect(dataPrepOf(draft.content, 'n')).toEqual(prep('B'))
    expect(draft.selectedId).toBe('n')
  })

  test('IN-142 deleting a tile deletes its data; later tiles keep their data and their source tiles', () => {
    const tiles = [
      tile('a'),
      tile('b', { source: { type: 'DATA_PREP', value: 'b' } }),
      tile('c', { source: { type: 'SOURCE_TILE', value: 'b' } }),
    ]
    const draft = after(
      start(...tiles),
      { type: 'changeData', id: 'a', dataPrep: prep('A') },
      { type: 'changeData', id: 'b', dataPrep: prep('B') },
      { type: 'remove', id: 'a' },
    )
    expect(draft.content.datapreps).toEqual({ b: prep('B') })
    expect(draft.content.tiles).toEqual(tiles.slice(1))
    expect(draft.content.tiles.map((each) => resolveSource(each, draft.content))).toMatchObject([
      { tile: { id: 'b' }, source: { kind: 'series' } },
      { tile: { id: 'b' }, source: { kind: 'series' } },
    ])
    expect(dataPrepOf(draft.content, 'b')).toEqual(prep('B'))
  })

  test('IN-143 tiles can be reordered', () => {
    const draft = start(tile('a'), tile('b'), tile('c'))
    expect(titles(after(draft, { type: 'move', id: 'a', to: 2 }))).toEqual(['B', 'C', 'A'])
    expect(titles(after(draft, { type: 'move', id: 'c', to: -5 }))).toEqual(['C', 'A', 'B'])
  })

  test('IN-125 a changed title is cleaned and made unique', () => {
    const draft = after(start(tile('a'), tile('b')), { type: 'change', id: 'b', fields: { title: 'A!' } })
    expect(titles(draft)).toEqual(['A', 'A(1)'])
  })

  test('IN-053 an action that changes nothing returns the same draft', () => {
    const draft = after(
      start(tile('a', { series: [1] })),
      { type: 'changeData', id: 'a', dataPrep: prep('A') },
      { type: 'resize', id: 'a', size: { tileWidth: 'half', tileHeight: 'quarter' } },
      { type: 'select', id: 'a' },
      { type: 'undo' },
      { type: 'redo' },
    )
    for (const action of [
      { type: 'select', id: 'a' },
      { type: 'change', id: 'a', fields: { title: 'A', series: [1] } },
      { type: 'change', id: 'none', fields: { title: 'x' } },
      { type: 'move', id: 'a', to: 0 },
      { type: 'resize', id: 'a', size: { tileWidth: 'half', tileHeight: 'quarter' } },
      { type: 'remove', id: 'none' },
      { type: 'changeData', id: 'a', dataPrep: prep('A') },
      { type: 'changeData', id: 'a', fields: { series: [1] }, dataPrep: prep('A') },
      { type: 'replace', id: 'a', tile: { ...draft.content.tiles[0]! }, dataPrep: prep('A') },
      { type: 'duplicate', id: 'none', newId: 'n' },
      { type: 'redo' },
    ] as DraftAction[])
      expect(reduceDraft(draft, action)).toBe(draft)
    const untouched = start(tile('a'))
    expect(reduceDraft(untouched, { type: 'undo' })).toBe(untouched)
  })

  test('unknown fields of a tile survive every change', () => {
    const draft = after(start(tile('a', { hologram: 1 })), {
      type: 'change',
      id: 'a',
      fields: { palette: 'RED' },
    })
    expect(draft.content.tiles[0]).toMatchObject({ hologram: 1, palette: 'RED' })
  })
})

test('IN-053 setting an unchanged value outside the tiles changes nothing', () => {
  const before = start(tile('a'))
  const inputParams = { p1: { title: 'One' } }
  const draft = after(before, { type: 'setContent', fields: { inputParams } })
  expect(draft.content.inputParams).toEqual(inputParams)
  expect(after(draft, { type: 'undo' }).content).toBe(before.content)
  const same = { type: 'setContent', fields: { inputParams: structuredClone(inputParams) } } as const
  expect(reduceDraft(draft, same)).toBe(draft)
})

describe('undo', () => {
  test('undoes step by step back to the initial state, and redoes', () => {
    const before = start(tile('a'))
    const done = after(
      before,
      { type: 'add', tile: tile('b') },
      { type: 'change', id: 'a', fields: { x: 1 } },
    )
    const undone = after(done, { type: 'undo' }, { type: 'undo' })
    expect(undone.content).toBe(before.content)
    expect(after(undone, { type: 'redo' }, { type: 'redo' }).content).toBe(done.content)
  })

  test('consecutive changes of one topic are one step; a change of another topic starts the next step', () => {
    const draft = after(
      start(tile('a')),
      { type: 'change', id: 'a', fields: { label: 'B' } },
      { type: 'change', id: 'a', fields: { label: 'Br' } },
      { type: 'change', id: 'a', fields: { unit: '$' } },
    )
    expect(draft.past).toHaveLength(2)
    expect(after(draft, { type: 'undo' }).content.tiles[0]!.label).toBe('Br')
  })

  test('a new change clears the redo steps', () => {
    const draft = after(
      start(tile('a')),
      { type: 'change', id: 'a', fields: { x: 1 } },
      { type: 'undo' },
      { type: 'change', id: 'a', fields: { y: 1 } },
    )
    expect(draft.future).toHaveLength(0)
  })
})

describe('exported tile configuration', () => {
  test('IN-146 an exported configuration can be imported', () => {
    const exported = exportTile(tile('a', { series: [{ label: 'x' }] }), prep('B'))
    expect(importTile(exported, 'Chart')).toMatchObject({
      ok: true,
      tile: { series: [{ label: 'x' }] },
      dataPrep: prep('B'),
    })
    const draft = after(start(tile('z')), {
      type: 'replace',
      id: 'z',
      tile: tile('a', { palette: 'RED', source: { type: 'DATA_PREP', value: 'a' } }),
      dataPrep: prep('B'),
    })
    expect(draft.content.tiles[0]).toMatchObject({ id: 'z', title: 'Z', palette: 'RED' })
    expect(draft.content.tiles[0]!.source).toEqual({ type: 'DATA_PREP', value: 'z' })
    expect(dataPrepOf(draft.content, 'z')).toEqual(prep('B'))
  })

  test('IN-147 IN-148 rejects the configuration of another type', () => {
    expect(importTile(exportTile(tile('a', { type: 'Table' }), { symbols: [] }), 'Chart')).toEqual({
      ok: false,
      message:
        'Imported configuration tile type missmatch. Expected tile type was Chart, received: Table. Are you sure a proper configuration file was selected?',
    })
  })

  test.each(['', '7', '{}', '{"tileType":"Chart"}', 'x'.repeat(10)])(
    '%j is not a tile configuration',
    (text) => {
      expect(importTile(text, 'Chart')).toMatchObject({
        ok: false,
        message: expect.stringContaining('not a tile configuration'),
      })
    },
  )
})

test('ignores a damaged data prep', () => {
  for (const entry of [null, 7, {}, { symbols: 'x' }, { symbols: [null, { groupName: 1 }] }])
    expect(dataPrepOf({ ...emptyContent(), datapreps: { a: entry } }, 'a').symbols).toEqual([])
})
