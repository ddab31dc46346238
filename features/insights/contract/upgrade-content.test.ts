import { describe, expect, test } from 'vitest'
import { emptyContent, insightContent, isWorkflow } from '@headwater/tile-data/contract'
import { DefinitionError, diffContents, isSame, parseDefinition, upgradeContent } from './index.ts'

function upgrade(old: Record<string, unknown>) {
  let last = 0
  return upgradeContent(old, () => `new-${++last}`)
}

function upgradeTile(tile: Record<string, unknown>) {
  return upgrade({ tiles: [{ id: 'a', title: 'A', type: 'Text', ...tile }] }).tiles[0]!
}

describe('old definitions', () => {
  test('IN-055 tile actions get actionName from type; an existing name is preserved', () => {
    const actions = [{ type: 'RUN', pipelineName: 'p' }, { type: 'RUN', actionName: 'Start' }, 'odd']
    expect(upgradeTile({ actions }).actions).toEqual([
      { type: 'RUN', actionName: 'RUN', pipelineName: 'p' },
      { type: 'RUN', actionName: 'Start' },
      'odd',
    ])
  })

  test('IN-056 sourceTileId becomes sourceInputParamsId at any depth; an existing new key wins', () => {
    const tile = upgradeTile({
      sourceTileId: '1',
      columns: [{ sourceTileId: '2' }],
      source: { sourceTileId: 'old', sourceInputParamsId: 'new' },
    })
    expect(tile).toMatchObject({
      sourceInputParamsId: '1',
      columns: [{ sourceInputParamsId: '2' }],
      source: { sourceInputParamsId: 'new' },
    })
    expect(JSON.stringify(tile)).not.toContain('sourceTileId')
  })

  test('IN-057 a missing id is generated, and a duplicate one is replaced', () => {
    const tiles = [{ title: 'A' }, { id: '', title: 'B' }, { id: 'x', title: 'C' }, { id: 'x', title: 'D' }]
    expect(upgrade({ tiles }).tiles.map(({ id }) => id)).toEqual(['new-1', 'new-2', 'x', 'new-3'])
  })

  test.each([
    ['full', 'full'],
    ['half', 'half'],
    ['HALF', 'half'],
    ['50%', 'half'],
    [6, 'half'],
    [12, 'full'],
    [null, 'full'],
  ])('IN-058 sectionSize %s becomes tileWidth %s', (sectionSize, tileWidth) => {
    const tile = upgradeTile({ sectionSize })
    expect(tile.tileWidth).toBe(tileWidth)
    expect(tile).not.toHaveProperty('sectionSize')
  })

  test.each([
    [1001, 'full'],
    [1000, 'half'],
    [500, 'half'],
    [499, 'quarter'],
    ['1200', 'full'],
    [null, 'half'],
  ])('IN-059 sectionHeight %s becomes tileHeight %s', (sectionHeight, tileHeight) => {
    const tile = upgradeTile({ sectionHeight })
    expect(tile.tileHeight).toBe(tileHeight)
    expect(tile).not.toHaveProperty('sectionHeight')
  })

  test('IN-060 FTL tiles become code tiles with their template', () => {
    expect(upgradeTile({ type: 'FTL', ftlContent: '<#if x>' })).toEqual({
      id: 'a',
      title: 'A',
      type: 'CODE',
      codeType: 'html',
      templateContent: '<#if x>',
      source: { type: 'EDITOR' },
    })
  })

  test.each([
    [
      { csvFile: { groupName: 'G', fileName: 'f.csv' } },
      { type: 'FILE', value: { groupName: 'G', fileName: 'f.csv' } },
    ],
    [
      { dlTemplate: { groupName: 'G', name: 't.ftl' } },
      { type: 'FILE', value: { groupName: 'G', fileName: 't.ftl' } },
    ],
    [
      { csv: 'f.csv', groupName: 'G' },
      { type: 'FILE', value: { groupName: 'G', fileName: 'f.csv' } },
    ],
    [{ markdown: '# Hi' }, { type: 'EDITOR' }],
    [
      { markdown: { groupName: 'G', fileName: 'a.md' } },
      { type: 'FILE', value: { groupName: 'G', fileName: 'a.md' } },
    ],
  ])('IN-061 %j becomes the source %j', (old, source) => {
    const tile = upgradeTile(old)
    expect(tile.source).toEqual(source)
    for (const key of ['csvFile', 'dlTemplate', 'csv', 'markdown']) expect(tile).not.toHaveProperty(key)
    if ('markdown' in old && old.markdown === '# Hi') expect(tile.templateContent).toBe('# Hi')
  })

  test('IN-063 input parameter tiles move into the map; existing entries are preserved', () => {
    const content = upgrade({
      tiles: [
        { id: 'p', title: 'P', type: 'INPUT_PARAMS', params: [1] },
        { id: 't', title: 'T', type: 'Text' },
      ],
      inputParams: { q: { extra: true } },
    })
    expect(content.tiles.map(({ id }) => id)).toEqual(['t'])
    expect(content.inputParams).toMatchObject({ q: { extra: true }, p: { id: 'p', params: [1] } })
  })

  test('IN-064 a diagram is rebuilt from nodes, positions and links', () => {
    const { diagram } = upgradeTile({
      type: 'DIAGRAM',
      nodes: [{ id: 'n1' }, { id: 'n2' }],
      positions: { n1: { x: 10, y: 20 } },
      links: [
        { input: { task: 'n1', port: 'o' }, output: { task: 'n2', port: 'i' } },
        { input: { task: 'n1' }, output: { task: 'gone' } },
      ],
    })
    expect(diagram).toEqual({
      nodes: [
        { id: 'n1', position: { x: 10, y: 20 } },
        { id: 'n2', position: { x: 400, y: 200 } },
      ],
      links: [{ input: { task: 'n1', port: 'o' }, output: { task: 'n2', port: 'i' } }],
    })
  })

  test('IN-065 chart tiles get a basicChartType and a source', () => {
    expect(upgradeTile({ type: 'Chart' })).toMatchObject({
      basicChartType: 'composed',
      source: { type: 'DATA_PREP', value: 'a' },
    })
    expect(upgradeTile({ type: 'Chart', chartType: 'SEASONALITY' }).basicChartType).toBe('seasonality')
    const source = { type: 'FILE', value: 1 }
    expect(upgradeTile({ type: 'Chart', basicChartType: 'seasonality', source })).toMatchObject({
      basicChartType: 'seasonality',
      source,
    })
  })

  test('data preps stored by the position of a tile move to its id', () => {
    const tiles = [
      { title: 'A', type: 'Table' },
      { id: 'b', title: 'B', type: 'Table' },
    ]
    expect(upgrade({ tiles, datapreps: { 0: { name: 'x' }, b: { name: 'y' } } }).datapreps).toEqual({
      'new-1': { name: 'x' },
      b: { name: 'y' },
    })
    expect(upgrade({ tiles, datapreps: [{ name: 'x' }, { name: 'y' }] }).datapreps).toMatchObject({
      'new-1': { name: 'x' },
      b: { name: 'y' },
    })
  })

  test('makes repeated titles distinct', () => {
    const tiles = ['A', 'A', 'A'].map((title, index) => ({ id: String(index), title }))
    expect(upgrade({ tiles }).tiles.map(({ title }) => title)).toEqual(['A', 'A(1)', 'A(1)(1)'])
  })

  test('the upgrade is idempotent and preserves unknown fields', () => {
    const old = {
      surprise: { deep: [1] },
      tiles: [
        { type: 'HOLOGRAM', title: 'H', depth: 3, sectionSize: 'half', sourceTileId: 'x' },
        { type: 'FTL', ftlContent: 'x', title: 'F' },
        { type: 'Chart', title: 'C', csvFile: { fileName: 'a' } },
      ],
    }
    const once = upgrade(old)
    expect(once.surprise).toEqual({ deep: [1] })
    expect(once.tiles[0]).toMatchObject({ type: 'HOLOGRAM', depth: 3 })
    expect(upgrade(once)).toEqual(once)
  })
})

describe('hostile definitions', () => {
  const parse = (text: string) => parseDefinition(text, () => 'id')

  test.each(['', 'nonsense', '[1]', 'null', '7', '"text"', '{"tiles":'])('%j is not a definition', (text) => {
    expect(() => parse(text)).toThrow(DefinitionError)
  })

  test('reports more tiles than allowed, without counting parameters', () => {
    const tiles = (count: number, type = 'Text') =>
      Array.from({ length: count }, () => ({ type, title: 'A' }))
    expect(() => parse(JSON.stringify({ tiles: tiles(501) }))).toThrow('it has 501 tiles')
    const most = upgrade({ tiles: [...tiles(500), ...tiles(5, 'INPUT_PARAMS')] })
    expect(new Set(most.tiles.map(({ title }) => title)).size).toBe(500)
    expect(insightContent.safeParse(most).success).toBe(true)
  })

  test.each([
    '{"toString":1,"valueOf":1}',
    '[{"toString":1,"valueOf":1}]',
    '{"toString":{},"valueOf":{}}',
    'true',
  ])('IN-058 IN-059 replaces sizes that are %s with the default sizes', (odd) => {
    const tile = `{"id":"a","title":"A","type":"Text","sectionSize":${odd},"sectionHeight":${odd}}`
    expect(parse(`{"tiles":[${tile}]}`).tiles[0]).toMatchObject({ tileWidth: 'full', tileHeight: 'half' })
  })

  test('rejects excessive nesting without exhausting the stack', () => {
    expect(() => parse(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)).toThrow('nested too deeply')
  })

  test('a key __proto__ is treated as data', () => {
    const content = parse('{"tiles":[{"id":"a","title":"A","type":"Text","__proto__":{"polluted":true}}]}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect(Object.hasOwn(content.tiles[0]!, '__proto__')).toBe(true)
  })

  test('entries that are not tiles are omitted', () => {
    expect(parse('{"tiles":[null,1,"x",[],{}]}').tiles).toEqual([{ id: 'id', title: '', type: 'UNKNOWN' }])
    expect(parse('{"tiles":"no"}').tiles).toEqual([])
  })
})

describe('every definition that opens can be saved', () => {
  const open = (definition: object) => {
    const content = upgrade(JSON.parse(JSON.stringify(definition)) as Record<string, unknown>)
    expect(insightContent.safeParse(content).error?.issues).toBeUndefined()
    expect(upgrade(content)).toEqual(content)
    return content
  }

  test.each([
    { tileWidth: null, tileHeight: 7 },
    { tileWidth: {}, tileHeight: ['full'] },
    { type: 'K'.repeat(101) },
    { title: 'T'.repeat(501) },
    { title: 'half \ud800' },
    { id: 'i'.repeat(201) },
    { type: { toString: 1 }, title: null, id: 7 },
  ])('a tile with %j', (odd) => {
    const { tiles } = open({ type: 5, tiles: [{ id: 'a', type: 'Text', title: 'A', ...odd }] })
    expect(tiles).toHaveLength(1)
  })

  test('removes kinds that are not text, replaces invalid sizes with defaults, and cuts long texts', () => {
    const tile = { id: 'a', type: 'K'.repeat(101), title: 'T'.repeat(501), tileWidth: null, tileHeight: 7 }
    const content = open({ type: 5, tiles: [tile, { ...tile, id: 'b' }] })
    expect(content).not.toHaveProperty('type')
    expect(content.tiles).toEqual([
      { id: 'a', type: 'K'.repeat(100), title: 'T'.repeat(500) },
      { id: 'b', type: 'K'.repeat(100), title: `${'T'.repeat(492)}(2)` },
    ])
  })

  test('an id that is too long is replaced everywhere it is referenced', () => {
    const id = 'i'.repeat(201)
    const content = open({
      tiles: [
        { id, type: 'Chart', title: id.slice(0, 300) },
        { id: 'b', type: 'Table', title: 'B', source: { type: 'SOURCE_TILE', value: id } },
      ],
      datapreps: { [id]: { symbols: [] } },
      footer: { buttons: [{ id: 'f', type: 'SCROLL_TO_TILE', tileId: id }] },
    })
    expect(content.tiles).toMatchObject([
      { id: 'new-1', title: id, source: { type: 'DATA_PREP', value: 'new-1' } },
      { source: { type: 'SOURCE_TILE', value: 'new-1' } },
    ])
    expect(content.datapreps).toEqual({ 'new-1': { symbols: [] } })
    expect(content.footer).toMatchObject({ buttons: [{ tileId: 'new-1' }] })
  })

  test('IN-057 tiles with the same id each get the data, and references point to the first of them', () => {
    const chart = { id: 'x', type: 'Chart', title: 'A', source: { type: 'DATA_PREP', value: 'x' } }
    const content = open({
      tiles: [
        chart,
        chart,
        { id: 'b', type: 'Table', title: 'B', source: { type: 'SOURCE_TILE', value: 'x' } },
      ],
      datapreps: { x: { name: 'mine', symbols: [] } },
    })
    expect(content.tiles).toMatchObject([
      { id: 'x', source: { value: 'x' } },
      { id: 'new-1', title: 'A(1)', source: { value: 'new-1' } },
      { source: { value: 'x' } },
    ])
    expect(content.datapreps).toEqual({
      x: { name: 'mine', symbols: [] },
      'new-1': { name: 'mine', symbols: [] },
    })
  })

  test('copying data for tiles that share an id does not make a definition enormous', () => {
    const tiles = Array.from({ length: 500 }, () => ({ id: 'x', type: 'Table', title: 'A' }))
    const content = open({ tiles, datapreps: { x: { name: 'n'.repeat(100_000), symbols: [] } } })
    expect(JSON.stringify(content).length).toBeLessThan(2_000_000)
  })
})

describe('ids that equal property names of every object', () => {
  const names = ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'prototype']

  test.each(names)('IN-063 keeps parameters with the id %s and the tiles bound to them', (id) => {
    const { inputParams, tiles } = upgrade({
      tiles: [
        { id, type: 'INPUT_PARAMS', title: 'P', keys: [1] },
        { id: 't', type: 'Table', title: 'T', sourceInputParamsId: id },
      ],
    })
    const ids = Object.keys(inputParams!)
    expect(ids).toHaveLength(1)
    expect(inputParams![ids[0]!]).toMatchObject({ id: ids[0], keys: [1] })
    expect(tiles[0]!.sourceInputParamsId).toBe(ids[0])
    expect(ids[0] === '__proto__').toBe(false)
  })

  test.each(names)('a tile with the id %s keeps its data; a tile without data gets none', (id) => {
    const tile = { id, type: 'Table', title: 'T' }
    const datapreps = JSON.parse(`{"${id}":{"name":"mine"}}`) as object
    const content = upgrade({ tiles: [tile], datapreps })
    expect(Object.values(content.datapreps!)).toEqual([{ name: 'mine' }])
    expect(insightContent.parse(content).datapreps).toEqual(content.datapreps)
    const none = upgrade({ tiles: [tile, tile] })
    expect(none.datapreps).toEqual({})
    const { datapreps: _, ...bare } = none
    expect(isSame(diffContents(none, bare))).toBe(true)
  })
})

describe('detection of workflows', () => {
  const tile = { id: 'a', title: 'A', type: 'Text' }
  const of = (more: object) => isWorkflow({ ...emptyContent(), ...more })

  test.each(['AUTO_PIPELINE', 'STATUS', 'DIAGRAM'])(
    'IN-012 a tile of the kind %s makes an insight a workflow',
    (type) => {
      expect(of({ tiles: [{ ...tile, type }] })).toBe(true)
      expect(of({ tiles: [tile] })).toBe(false)
    },
  )

  test('IN-013 a tile with actions makes an insight a workflow', () => {
    expect(of({ tiles: [{ ...tile, actions: [{ type: 'RUN' }] }] })).toBe(true)
    expect(of({ tiles: [{ ...tile, actions: [] }] })).toBe(false)
  })

  test('IN-014 a footer button that downloads a data prep makes an insight a workflow', () => {
    expect(of({ footer: { buttons: [{ text: 'x', type: 'DOWNLOAD_DATA_PREP' }] } })).toBe(true)
    expect(of({ footer: { buttons: [{ text: 'x', type: 'LINK' }] } })).toBe(false)
    expect(of({ footer: 'odd' })).toBe(false)
  })
})
