import { describe, expect, test } from 'vitest'
import {
  emptyContent,
  tileTypes,
  visualisationTileTypes,
  workflowTileTypes,
} from '@headwater/tile-data/contract'
import { newTile } from '../builder/new-tile.ts'
import { newChartKinds, newDataKinds, newTileMenu, newWorkflowKinds } from '../builder/new-tile-kinds.tsx'
import {
  maxHeaderBoxes,
  readSeriesResult,
  seriesRange,
  codeDataOf,
  loadPatterns,
  visibleTiles,
} from '@headwater/tile-data/core'
import {
  codeTile,
  codeTypes,
  isFreeMarker,
  imageTile,
  pdfTile,
  appliedFilters,
  defaultFilters,
  meetsFilters,
  plainText,
  searchTile,
  tileKindOf,
  statusTile,
} from '@headwater/tiles/web'

const nothing = { onAdd: () => undefined, onAddPart: () => undefined }
const added = [...newChartKinds, ...newDataKinds, ...newWorkflowKinds]

describe('kinds of tiles', () => {
  test('IN-127 IN-128 IN-137 IN-232 eleven kinds can be added, charts in three ways, each with a view and an editor', () => {
    const visualisations = ['IMAGE', 'PDF', 'CODE', 'Table', 'Text', 'Chart', 'STATS', 'SEARCH']
    const workflows = ['AUTO_PIPELINE', 'STATUS', 'DIAGRAM']
    expect(visualisationTileTypes).toEqual(visualisations)
    expect(workflowTileTypes).toEqual(workflows)
    const types = [...new Set(added.map(({ id }) => newTile(id, 'a').tile.type))]
    expect(types.toSorted()).toEqual([...visualisations, ...workflows].toSorted())
    expect(added.map(({ label }) => label)).toEqual([
      'Advanced chart',
      'Seasonality chart',
      'Quick chart',
      'Table',
      'Stats',
      'Text',
      'Code',
      'Image',
      'PDF',
      'Search',
      'Auto pipeline',
      'Status',
      'Diagram',
    ])
    for (const type of types) expect([type, tileKindOf({ type }) === undefined]).toEqual([type, false])
    expect(types.every((type) => (tileTypes as readonly string[]).includes(type))).toBe(true)
  })

  test('the menu disables parts around the tiles that have reached their maximum number', () => {
    const headerBoxes = Array.from({ length: maxHeaderBoxes }, (_, id) => ({ id: String(id), title: 'Box' }))
    const entries = newTileMenu({ ...emptyContent(), headerBoxes }, nothing, { workflows: false })
    expect(entries.slice(-2)).toMatchObject([
      { label: 'Summary box', disabled: true },
      { label: 'Footer button', disabled: false },
    ])
  })

  test('the menu offers workflow tiles only to users with access to workflows', () => {
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
    expect(fresh('code')).toMatchObject({ codeType: 'html', source: { type: 'EDITOR' } })
    expect(codeTile.parse({}).codeType).toBe('html')
    expect([fresh('pdf')['scale'], pdfTile.parse({}).scale]).toEqual([100, 100])
    expect(fresh('search')).toMatchObject({ range: 'LAST', lastTypeAmount: 50 })
    const { columns } = searchTile.parse({ columns: [{ columnId: 'Close' }] })
    expect(columns[0]!.columnWidth).toBe(88)
    expect(fresh('status')).toMatchObject({ limit: 10, autoRefreshInterval: 10 })
  })

  test('IN-134 IN-135 IN-136 new tiles of series request the last 500 values in UTC, with 2 decimals, half up', () => {
    for (const kind of ['advanced', 'quick', 'seasonality', 'table', 'stats', 'code'] as const)
      expect([kind, seriesRange.parse(newTile(kind, 'a').tile)]).toMatchObject([
        kind,
        {
          timeZone: 'UTC',
          range: 'LAST',
          lastType: 'VALUES',
          lastTypeAmount: 500,
          decimalPrecision: 2,
          roundingMode: 'HALF_UP',
        },
      ])
    expect(seriesRange.parse(newTile('search', 'a').tile)).toMatchObject({
      timeZone: 'UTC',
      range: 'LAST',
      lastType: 'VALUES',
      decimalPrecision: 2,
      roundingMode: 'HALF_UP',
    })
  })

  test('IN-172 new charts of each kind start with the palette COLORFUL_2', () => {
    for (const kind of ['advanced', 'seasonality', 'quick'] as const)
      expect([kind, newTile(kind, 'a').tile.palette]).toEqual([kind, 'COLORFUL_2'])
  })

  test('IN-237 IN-238 a status tile lists 10 statuses by default, and at most 200', () => {
    const limits = [undefined, 1, 200, 201, 0, 'x'].map((limit) => statusTile.parse({ limit }).limit)
    expect(limits).toEqual([10, 1, 200, 200, 1, 10])
    expect(statusTile.parse({}).autoRefreshInterval).toBe(10)
  })

  test('damaged settings are replaced with defaults', () => {
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

describe('access to kinds of tiles', () => {
  const visualisations = ['Chart', 'Text', 'Table', 'CODE', 'PDF', 'IMAGE', 'STATS', 'SEARCH']
  const workflows = ['STATUS', 'DIAGRAM', 'AUTO_PIPELINE']
  const all = [...workflows, 'FUTURE', ...visualisations]
  const tiles = all.map((type) => ({ type }))
  const seen = (sight: Parameters<typeof visibleTiles>[1]) =>
    visibleTiles(tiles, sight).map(({ type }) => type)
  const both = { workflows: true, visualisations: true, framed: false }

  test('IN-153 users with access to both kinds see all tiles', () => {
    expect(seen(both)).toEqual(all)
  })
  test('IN-154 users without access to workflows see only visualisation tiles', () => {
    expect(seen({ ...both, workflows: false })).toEqual(visualisations)
  })
  test('IN-155 in a frame only visualisation tiles are visible, whatever the access', () => {
    expect(seen({ ...both, framed: true })).toEqual(visualisations)
    expect(seen({ ...both, visualisations: false, framed: true })).toEqual(visualisations)
  })
  test('IN-157 users with access only to workflows see only workflow tiles', () => {
    expect(seen({ ...both, visualisations: false })).toEqual(workflows)
  })
})

describe('search', () => {
  const brent = { Code: 'Brent', Region: 'Europe' }
  const finds = async (typed: Record<string, string>) => {
    const { matches } = await loadPatterns()
    return meetsFilters(brent, appliedFilters(typed), matches)
  }

  test('IN-228 the input is a case-insensitive pattern', async () => {
    expect(await finds({ Code: 'BRENT' })).toBe(true)
    expect(await finds({ Code: 'bReNt' })).toBe(true)
    expect(await finds({ Code: '^b.+t$' })).toBe(true)
    expect(await finds({ Code: '^rent' })).toBe(false)
    expect(await finds({ Code: 'b', Region: 'asia' })).toBe(false)
    expect(await finds({ '': 'europe' })).toBe(true)
    expect(await finds({ Gone: 'x' })).toBe(false)
  })
  test('IN-230 an empty filter value is dropped from the applied filters', () => {
    expect(appliedFilters({ Code: ' ', Region: '' })).toEqual([])
    expect(appliedFilters({ Code: 'b', Region: '' })).toEqual(appliedFilters({ Code: 'b' }))
  })
  test('fills the fields with their values, and queries storage for everything but patterns', () => {
    expect(defaultFilters([{ filterKey: 'Code', defaultValue: 'br', label: '' }])).toEqual({ Code: 'br' })
    expect(plainText({ Code: 'br', Region: 'europe', Kind: 'a.*' })).toBe('europe')
    expect(plainText({ Code: '^b' })).toBe('')
  })
})

describe('code', () => {
  test('IN-222 code is Python or HTML/FTL, and FreeMarker is detected', () => {
    expect(codeTypes).toEqual(['html', 'python'])
    expect(isFreeMarker('<#list rows as row>${row}</#list>')).toBe(true)
    expect(isFreeMarker('<@table rows/>')).toBe(true)
    expect(isFreeMarker('[#ftl]')).toBe(true)
    expect(isFreeMarker('<p id="a">`${x}` <a href="#b">c</a></p>')).toBe(false)
    expect(
      ['Python', 'py', 'HTML', 'HTML/FTL'].map((codeType) => codeTile.parse({ codeType }).codeType),
    ).toEqual(['python', 'python', 'html', 'html'])
  })
  test('code receives numbers as numbers and gaps as null', () => {
    const result = readSeriesResult(
      'Code,Date(UTC),Price,Note(S)\nB,2026-01-02T00:00:00,,\nB,2026-01-01T00:00:00,1.5,7\n',
    )
    expect(codeDataOf(result)).toEqual({
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
