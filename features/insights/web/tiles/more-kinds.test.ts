import { describe, expect, test } from 'vitest'
import { emptyContent, tileTypes, visualisationTileTypes, workflowTileTypes } from '../../contract/index.ts'
import { newTile } from '../builder/new-tile.ts'
import { newChartKinds, newDataKinds, newTileMenu, newWorkflowKinds } from '../builder/new-tile-kinds.tsx'
import { maxHeaderBoxes } from '../header-boxes/header-box.ts'
import { readSeriesAnswer } from '../../contract/series/series-answer.ts'
import { codeDataOf } from '../../contract/tiles/code-data.ts'
import { codeTile, isFreeMarker } from './code/code-tile.ts'
import { imageTile } from './image/image-tile.ts'
import { pdfTile } from './pdf/pdf-tile.ts'
import { appliedFilters, defaultFilters, meetsFilters, plainText } from './search/filter-symbols.ts'
import { searchTile } from './search/search-tile.ts'
import { tileKindOf } from './tile-kinds.ts'
import { visibleTiles } from '../../contract/tiles/visible-tiles.ts'

const nothing = { onAdd: () => undefined, onAddPart: () => undefined }
const added = [...newChartKinds, ...newDataKinds, ...newWorkflowKinds]

describe('kinds of tiles', () => {
  test('IN-127 IN-128 IN-137 eleven kinds can be added, charts in three ways, and each can be shown and edited', () => {
    const types = [...new Set(added.map(({ id }) => newTile(id, 'a').tile.type))]
    expect(types.toSorted()).toEqual([...visualisationTileTypes, ...workflowTileTypes].toSorted())
    expect(types).toHaveLength(11)
    for (const type of types) expect([type, tileKindOf({ type }) === undefined]).toEqual([type, false])
    expect(types.every((type) => (tileTypes as readonly string[]).includes(type))).toBe(true)
  })

  test('the menu offers no more parts around the tiles than there is room for', () => {
    const headerBoxes = Array.from({ length: maxHeaderBoxes }, (_, id) => ({ id: String(id), title: 'Box' }))
    const entries = newTileMenu({ ...emptyContent(), headerBoxes }, nothing, { workflows: false })
    expect(entries.slice(-2)).toMatchObject([
      { label: 'Summary box', disabled: true },
      { label: 'Footer button', disabled: false },
    ])
  })

  test('the menu offers kinds of workflows only to whoever sees them', () => {
    const labels = (workflows: boolean) =>
      newTileMenu(emptyContent(), nothing, { workflows }).flatMap((entry) =>
        typeof entry === 'object' && 'label' in entry ? [entry.label] : [],
      )
    const parts = ['Summary box', 'Footer button']
    expect(labels(true).slice(-5)).toEqual(['Auto pipeline', 'Status', 'Diagram', ...parts])
    expect(labels(false).slice(-2)).toEqual(parts)
    expect(labels(false)).toHaveLength(labels(true).length - 3)
  })

  test('IN-221 IN-223 IN-226 IN-227 IN-237 IN-238 new tiles have the defaults of the specification', () => {
    const fresh = (id: Parameters<typeof newTile>[0]) => newTile(id, 'a').tile
    expect(codeTile.parse(fresh('code'))).toMatchObject({ codeType: 'html', source: { type: 'EDITOR' } })
    expect(pdfTile.parse(fresh('pdf')).scale).toBe(100)
    expect(fresh('search')).toMatchObject({ range: 'LAST', lastTypeAmount: 50 })
    const { columns } = searchTile.parse({ columns: [{ columnId: 'Close' }] })
    expect(columns[0]!.columnWidth).toBe(88)
    expect(fresh('status')).toMatchObject({ limit: 10, autoRefreshInterval: 10 })
  })

  test('damaged settings become the defaults', () => {
    expect(pdfTile.parse({ scale: -3, source: 'x' })).toMatchObject({
      scale: 100,
      source: { value: { fileName: '' } },
    })
    expect(imageTile.parse({ fit: 'url(//evil)', source: { type: 'EDITOR' } })).toMatchObject({
      fit: 'contain',
      source: { type: 'FILE' },
    })
    expect(codeTile.parse({ codeType: 7, source: null, templateContent: {} })).toMatchObject({
      codeType: 'html',
      templateContent: '',
    })
    const search = searchTile.parse({
      filters: [null, { filterKey: '' }, { filterKey: 'A' }],
      groupNames: [1, 'G'],
    })
    expect(search).toMatchObject({ filters: [{ filterKey: 'A', label: '' }], groupNames: ['G'], columns: [] })
  })
})

describe('who sees which kinds of tiles', () => {
  const tiles = ['Chart', 'STATUS', 'FUTURE', 'DIAGRAM', 'Text'].map((type) => ({ type }))
  const seen = (sight: Parameters<typeof visibleTiles>[1]) =>
    visibleTiles(tiles, sight).map(({ type }) => type)
  const both = { workflows: true, visualisations: true, framed: false }

  test('IN-153 who may see both sees all', () => {
    expect(seen(both)).toEqual(['Chart', 'STATUS', 'FUTURE', 'DIAGRAM', 'Text'])
  })
  test('IN-154 without access to workflows only tiles that show data are seen', () => {
    expect(seen({ ...both, workflows: false })).toEqual(['Chart', 'Text'])
  })
  test('IN-155 in a frame only tiles that show data are seen, whatever the access', () => {
    expect(seen({ ...both, framed: true })).toEqual(['Chart', 'Text'])
    expect(seen({ ...both, visualisations: false, framed: true })).toEqual(['Chart', 'Text'])
  })
  test('IN-157 with access to workflows alone only their tiles are seen', () => {
    expect(seen({ ...both, visualisations: false })).toEqual(['STATUS', 'DIAGRAM'])
  })
})

describe('search', () => {
  const brent = { Code: 'Brent', Region: 'Europe' }
  const finds = (typed: Record<string, string>) => meetsFilters(brent, appliedFilters(typed))

  test('IN-228 what is typed is a pattern in any letter case', () => {
    expect(finds({ Code: 'BRENT' })).toBe(true)
    expect(finds({ Code: '^b.+t$' })).toBe(true)
    expect(finds({ Code: 'b', Region: 'asia' })).toBe(false)
    expect(finds({ '': 'europe' })).toBe(true)
    expect(finds({ Gone: 'x' })).toBe(false)
  })
  test('IN-229 a bad pattern is ignored', () => {
    expect(finds({ Code: '[' })).toBe(true)
    expect(appliedFilters({ Code: '(' })).toEqual([])
  })
  test('IN-230 an empty filter value is dropped from the applied filters', () => {
    expect(appliedFilters({ Code: ' ', Region: '' })).toEqual([])
  })
  test('the fields begin with their values, and storage is asked for what is no pattern', () => {
    expect(defaultFilters([{ filterKey: 'Code', defaultValue: 'br', label: '' }])).toEqual({ Code: 'br' })
    expect(plainText({ Code: 'br', Region: 'europe', Kind: 'a.*' })).toBe('europe')
    expect(plainText({ Code: '^b' })).toBe('')
  })
})

describe('code', () => {
  test('IN-222 HTML runs, FreeMarker is told from it', () => {
    expect(isFreeMarker('<#list rows as row>${row}</#list>')).toBe(true)
    expect(isFreeMarker('<@table rows/>')).toBe(true)
    expect(isFreeMarker('[#ftl]')).toBe(true)
    expect(isFreeMarker('<p id="a">`${x}` <a href="#b">c</a></p>')).toBe(false)
    expect(
      ['Python', 'py', 'HTML', 'HTML/FTL'].map((codeType) => codeTile.parse({ codeType }).codeType),
    ).toEqual(['python', 'python', 'html', 'html'])
  })
  test('code gets numbers as numbers and gaps as null', () => {
    const answer = readSeriesAnswer(
      'Code,Date(UTC),Price,Note(S)\nB,2026-01-02T00:00:00,,\nB,2026-01-01T00:00:00,1.5,7\n',
    )
    expect(codeDataOf(answer)).toEqual({
      columns: [
        { name: 'Code', kind: 'symbol' },
        { name: 'Date', kind: 'time' },
        { name: 'Price', kind: 'number' },
        { name: 'Note', kind: 'text' },
      ],
      rows: [
        ['B', '2026-01-02T00:00:00', null, null],
        ['B', '2026-01-01T00:00:00', 1.5, '7'],
      ],
    })
  })
})
