import { describe, expect, test } from 'vitest'
import { TITLE_SIZES } from '@headwater/charts'
import {
  readSeriesResult,
  rowsBySymbol,
  chartSpecOfTile,
  chartSymbols,
  chartTile,
  clearedChartTile,
  newChartSeries,
  newChartTile,
  conditions,
  meets,
  type Condition,
  loadPatterns,
  readTableText,
  formatCellNumber,
  orderedColumns,
  sortRows,
  tableCsv,
  tableTile,
} from '@headwater/tile-data/core'
import { seriesOfPicked, withSeries } from './chart/picked-series.ts'

const csv = `Code,Date(UTC),Price,Volume,Note(S)
B,2026-01-03T00:00:00,3,30,x
B,2026-01-02T00:00:00,,20,=1+1
B,2026-01-01T00:00:00,1,10,
W,2026-01-01T00:00:00,10.25,5,"a, b"
`
const result = readSeriesResult(csv)
const loaded = { groupNames: new Set(['G']), result, rowsOf: rowsBySymbol(result) }
const spec = (tile: object) =>
  chartSpecOfTile({
    chart: chartTile.parse(tile),
    timeZone: 'UTC',
    results: [loaded],
    prepSymbols: [],
    now: Date.UTC(2026, 5, 1),
  })
const brent = { label: 'Brent', groupName: 'G', symbolList: [{ Code: 'B' }], column: 'Price' }

describe('chart', () => {
  test('IN-168 IN-172 IN-182 a new chart and a new series have the defaults of the specification', () => {
    expect(newChartTile('a', 'composed')).toMatchObject({
      title: 'Line chart',
      palette: 'COLORFUL_2',
      timeZone: 'UTC',
      range: 'LAST',
      lastTypeAmount: 500,
    })
    expect(chartTile.parse({ series: [{}] }).series[0]).toMatchObject({
      dotSize: 5,
      chartType: 'line',
      lineStyle: 'SOLID',
      operation: 'SUM',
    })
  })

  test('a new series averages values of one date, because a sum of prices is meaningless; stored series keep their sum', () => {
    expect(newChartSeries(brent).operation).toBe('Average')
    expect(newChartSeries({ ...brent, operation: 'SUM' }).operation).toBe('SUM')
    expect(chartTile.parse({ series: [brent] }).series[0]!.operation).toBe('SUM')
  })

  test('a new series gets the right axis if its values have another size; a stored series without an axis remains on the left one', () => {
    const sized = readSeriesResult(
      'Code,Date(UTC),Price,Volume\nB,2026-01-02T00:00:00,40,41000\nB,2026-01-01T00:00:00,42,43000\n',
    )
    const axesOf = (...series: object[]) =>
      chartSpecOfTile({
        chart: chartTile.parse({ series }),
        timeZone: 'UTC',
        results: [{ groupNames: new Set(['G']), result: sized, rowsOf: rowsBySymbol(sized) }],
        prepSymbols: [],
        now: 0,
      }).series.map(({ axis }) => axis)
    const volume = { ...brent, label: 'Volume', column: 'Volume' }
    expect(axesOf(newChartSeries(brent), newChartSeries(volume))).toEqual(['left', 'right'])
    expect(axesOf(newChartSeries(volume), newChartSeries(brent), volume)).toEqual(['left', 'right', 'left'])
    expect(axesOf(brent, volume)).toEqual(['left', 'left'])
    expect(axesOf(newChartSeries(brent), newChartSeries({ ...volume, axis: 'left' }))).toEqual([
      'right',
      'left',
    ])
  })

  test('IN-170 IN-172 IN-174 IN-178 IN-179 IN-180 IN-184 IN-185 IN-186 IN-187 each choice of the specification takes effect in the chart', () => {
    const drawn = (tile: object, series: object = {}) => spec({ ...tile, series: [{ ...brent, ...series }] })
    for (const domain of ['Default', 'Fit to data', 'Zero to data max', 'Zero to 100', 'Auto scale'])
      for (const axis of ['leftAxis', 'rightAxis'] as const)
        expect(drawn({ [axis]: { domain } })[axis]).toMatchObject({ domain })
    for (const palette of ['COLORFUL_2', 'BLUE', 'COLORFUL_1', 'GREEN', 'RED'])
      expect(drawn({ palette })).toMatchObject({ palette })
    for (const unit of ['$', '%']) expect(drawn({ leftAxis: { unit } }).leftAxis).toMatchObject({ unit })
    for (const size of ['Standard', 'Big']) expect(drawn({ legendSize: size }).legend).toMatchObject({ size })
    for (const titleSize of ['Small', 'Standard', 'Big', 'Huge'])
      expect(drawn({ chartTitle: 'Oil', titleSize })).toMatchObject({ titleSize })
    for (const sorting of ['ASC', 'DESC'])
      expect(drawn({ legendSorting: sorting }).legend).toMatchObject({ sorting })
    for (const layout of ['horizontal', 'vertical']) expect(drawn({ layout })).toMatchObject({ layout })
    for (const kind of ['area', 'bars', 'line', 'scatter'])
      expect(drawn({}, { chartType: kind }).series).toMatchObject([{ kind }])
    for (const lineStyle of ['SOLID', 'DASHED'])
      expect(drawn({}, { lineStyle }).series).toMatchObject([{ lineStyle }])
  })

  test('IN-185 the title has exactly four sizes', () => {
    expect(TITLE_SIZES).toEqual(['Small', 'Standard', 'Big', 'Huge'])
    expect(chartTile.parse({ titleSize: 'Gigantic' }).titleSize).toBe('Standard')
  })

  test('clearing preserves actions, partners, title, id, width and height and resets everything else', () => {
    const retained = {
      id: 'a',
      title: 'T',
      tileWidth: 'half',
      tileHeight: 'full',
      actions: [1],
      partners: ['p'],
    }
    const used = {
      ...newChartTile('a', 'composed'),
      ...retained,
      series: [brent],
      palette: 'RED',
      hidden: true,
    }
    expect(clearedChartTile(used)).toEqual({ ...newChartTile('a', 'composed'), ...retained })
  })

  test('series are drawn in chronological order, and gaps are preserved', () => {
    const [series] = spec({
      series: [{ ...brent, chartType: 'area', axis: 'right', lineStyle: 'DASHED' }],
    }).series
    expect(series).toMatchObject({ label: 'Brent', kind: 'area', axis: 'right', lineStyle: 'DASHED' })
    expect(Array.from(series!.x)).toEqual([1, 2, 3].map((day) => Date.UTC(2026, 0, day)))
    expect(Array.from(series!.y)).toEqual([1, Number.NaN, 3])
  })

  test('IN-169 IN-170 IN-174 IN-179 IN-180 IN-181 IN-182 IN-184 IN-185 IN-186 IN-187 every setting of a chart takes effect in the picture', () => {
    const drawn = {
      chartType: 'bars',
      axis: 'right',
      lineThickness: 3,
      lineOpacity: 0.5,
      lineStyle: 'DASHED',
      withReferenceLine: true,
      isHistogram: true,
      dotSize: 9,
      color: '--series-5',
      interpolation: 'step',
    }
    expect(
      spec({
        series: [{ ...brent, ...drawn }],
        leftAxis: { domain: 'Fit to data', unit: '$' },
        rightAxis: { domain: 'Zero to 100', unit: '%' },
        palette: 'RED',
        interpolation: 'natural',
        legendSize: 'Big',
        legendSorting: 'DESC',
        chartTitle: 'Oil',
        titleSize: 'Huge',
        layout: 'vertical',
      }),
    ).toMatchObject({
      series: [
        {
          kind: 'bars',
          axis: 'right',
          thickness: 3,
          opacity: 0.5,
          lineStyle: 'DASHED',
          referenceLine: true,
          isHistogram: true,
          dotSize: 9,
          color: '--series-5',
          interpolation: 'step',
        },
      ],
      leftAxis: { domain: 'Fit to data', unit: '$' },
      rightAxis: { domain: 'Zero to 100', unit: '%' },
      palette: 'RED',
      interpolation: 'natural',
      legend: { size: 'Big', sorting: 'DESC' },
      title: 'Oil',
      titleSize: 'Huge',
      layout: 'vertical',
    })
  })

  test('IN-178 several values at one date are combined into their sum or average; dots draw all of them', () => {
    const table = readTableText('Date,Price\n2026-01-02,5\n2026-01-01,1\n2026-01-01,3\n')
    const drawn = (more: object) => {
      const [series] = chartSpecOfTile({
        chart: chartTile.parse({ series: [{ label: 'P', column: 'Price', ...more }] }),
        timeZone: 'UTC',
        results: [{ groupNames: new Set(['']), result: table, rowsOf: rowsBySymbol(table), isTable: true }],
        prepSymbols: [],
        fromElsewhere: true,
        now: 0,
      }).series
      return Array.from(series!.y)
    }
    expect(drawn({})).toEqual([4, 5])
    expect(drawn({ operation: 'Average' })).toEqual([2, 5])
    expect(drawn({ chartType: 'scatter' })).toHaveLength(3)
  })

  test('IN-178 several symbols of one series are combined into their sum or average', () => {
    const both = { ...brent, symbolList: [{ Code: 'B' }, { Code: 'W' }] }
    expect(spec({ series: [both] }).series[0]!.y[0]).toBe(11.25)
    expect(spec({ series: [{ ...both, operation: 'Average' }] }).series[0]!.y[0]).toBe(5.625)
  })

  test('IN-175 the x axis can be a column of dates in a separate time zone', () => {
    const table = readTableText('Due,Price\n2026-01-02T12:00:00,5\n2026-01-01T12:00:00,1\n')
    const drawn = (columnXAxisTimezone: string) => {
      const [series] = chartSpecOfTile({
        chart: chartTile.parse({
          series: [
            {
              label: 'P',
              column: 'Price',
              columnXAxis: 'Due',
              columnXAxisIsNumber: false,
              columnXAxisTimezone,
            },
          ],
        }),
        timeZone: 'UTC',
        results: [{ groupNames: new Set(['']), result: table, rowsOf: rowsBySymbol(table), isTable: true }],
        prepSymbols: [],
        fromElsewhere: true,
        now: 0,
      }).series
      return Array.from(series!.x)
    }
    expect(drawn('')).toEqual([Date.UTC(2026, 0, 1, 12), Date.UTC(2026, 0, 2, 12)])
    expect(drawn('Asia/Tokyo')).toEqual([Date.UTC(2026, 0, 1, 3), Date.UTC(2026, 0, 2, 3)])
  })

  test('IN-175 the x axis can be a column of numbers', () => {
    const { series, x } = spec({ series: [{ ...brent, columnXAxis: 'Volume', columnXAxisIsNumber: true }] })
    expect(x).toEqual({ kind: 'number' })
    expect(Array.from(series[0]!.x)).toEqual([10, 20, 30])
  })

  test('IN-177 a moving average replaces the values', () => {
    const averaged = { ...brent, column: 'Volume', movingAverage: true, movingAverageValue: 2 }
    expect(Array.from(spec({ series: [averaged] }).series[0]!.y)).toEqual([Number.NaN, 15, 25])
  })

  test('IN-164 IN-190 a seasonality chart draws a line for each year', () => {
    const { series, x } = spec({ basicChartType: 'seasonality', seasonality: 'January', series: [brent] })
    expect(series.map(({ label }) => label)).toEqual(['2026'])
    expect(x).toMatchObject({ format: 'dayOfYear' })
    const kinds = ['composed', 'seasonality', 'pie'].map((basicChartType) =>
      chartTile.parse({ basicChartType }),
    )
    expect(kinds.map(({ basicChartType }) => basicChartType)).toEqual(['composed', 'seasonality', 'composed'])
  })

  test('IN-191 the seasonality option sets the start of the year; sizes, layout and curve have defaults', () => {
    const years = readSeriesResult('Code,Date(UTC),Price\nB,2025-04-01T00:00:00,2\nB,2025-02-01T00:00:00,1\n')
    const labels = (seasonality: string) =>
      chartSpecOfTile({
        chart: chartTile.parse({ basicChartType: 'seasonality', seasonality, series: [brent] }),
        timeZone: 'UTC',
        results: [{ groupNames: new Set(['G']), result: years, rowsOf: rowsBySymbol(years) }],
        prepSymbols: [],
        now: Date.UTC(2026, 5, 1),
      }).series.map(({ label }) => label)
    expect(labels('January')).toEqual(['2025'])
    expect(labels('March')).toEqual(['2024/25', '2025/26'])
    const defaults = {
      seasonality: 'January',
      titleSize: 'Standard',
      legendSize: 'Standard',
      layout: 'horizontal',
      interpolation: 'linear',
    }
    expect(newChartTile('c', 'composed')).toMatchObject(defaults)
    expect(chartTile.parse({})).toMatchObject(defaults)
  })

  test('the newest years each have a colour; years beyond the palette are grey', () => {
    const years = Array.from({ length: 11 }, (_, at) => 2026 - at)
    const rows = years.map((year) => `B,${year}-01-01T00:00:00,${year}`)
    const long = readSeriesResult(`Code,Date(UTC),Price(DB)\n${rows.join('\n')}\n`)
    const { series, legend } = chartSpecOfTile({
      chart: chartTile.parse({ ...newChartTile('c', 'seasonality'), series: [brent] }),
      timeZone: 'UTC',
      results: [{ groupNames: new Set(['G']), result: long, rowsOf: rowsBySymbol(long) }],
      prepSymbols: [],
      now: 0,
    })
    expect(series.map(({ label }) => label)).toEqual(years.map(String).toReversed())
    expect(series.slice(0, 3).map(({ color }) => color)).toEqual(Array<string>(3).fill('--text-3'))
    expect(new Set(series.slice(3).map(({ color }) => color)).size).toBe(8)
    expect(legend?.sorting).toBe('DESC')
    expect(newChartTile('c', 'seasonality').leftAxis).toEqual({ domain: 'Auto scale' })
    expect(newChartTile('c', 'composed').leftAxis).toEqual({ domain: 'Default' })
  })

  test('a seasonality chart has the range and the average of the five years before the newest one', () => {
    const rows = Array.from({ length: 8 }, (_, at) => 2026 - at).flatMap((year) => [
      `B,${year}-02-01T00:00:00,${year - 2000}`,
      `W,${year}-02-01T00:00:00,${year - 1000}`,
    ])
    const long = readSeriesResult(`Code,Date(UTC),Price(DB)\n${rows.join('\n')}\n`)
    const drawn = (more: object, given: object[] = [brent]) =>
      chartSpecOfTile({
        chart: chartTile.parse({ ...newChartTile('c', 'seasonality'), series: given, ...more }),
        timeZone: 'UTC',
        results: [{ groupNames: new Set(['G']), result: long, rowsOf: rowsBySymbol(long) }],
        prepSymbols: [],
        now: 0,
      }).series
    const labels = (more: object, given?: object[]) => drawn(more, given).map(({ label }) => label)
    const both = { seasonRange: true, seasonAverage: true, seasonLines: 2 }
    const [band, average] = drawn(both)
    expect(labels(both)).toEqual(['Range 2021–2025', 'Average 2021–2025', '2025', '2026'])
    expect(band).toMatchObject({ kind: 'area', axis: 'left' })
    expect(drawn(both).at(-1)!.color).toBe(drawn({ seasonAverage: true, seasonLines: 1 }).at(-1)!.color)
    expect([band!.low![0], band!.y[0], average!.y[0]]).toEqual([21, 25, 23])
    expect(labels({ seasonAverage: true, seasonLines: 1 })).toEqual(['Average 2021–2025', '2026'])
    expect(labels({ ...both, seasonLines: 0 })).toHaveLength(10)
    expect(labels({})).toHaveLength(8)
    const wti = { ...brent, label: 'WTI', symbolList: [{ Code: 'W' }] }
    expect(labels({ seasonRange: true, seasonLines: 1 }, [brent, wti])).toEqual([
      'Brent range 2021–2025',
      'WTI range 2021–2025',
      'Brent 2026',
      'WTI 2026',
    ])
  })

  test('IN-183 a rule colours the values that meet it', () => {
    const conditionalFormatting = [
      { applyTo: 'ALL', condition: 'between', conditionValueA: '5', conditionValueB: 1, color: '#ff0000' },
      { applyTo: 'Other', condition: '>', conditionValueA: '1', color: '#00ff00' },
      { applyTo: 'ALL', condition: '>', conditionValueA: 'x', color: '#00ff00' },
    ]
    expect(spec({ series: [brent], conditionalFormatting }).series[0]!.colorRules).toEqual([
      { from: 1, to: 5, color: '#ff0000' },
    ])
  })

  test('damaged settings are replaced with defaults, and invalid colours are ignored', () => {
    const damaged = {
      series: [
        null,
        7,
        {
          ...brent,
          chartType: 'pie',
          lineThickness: 'x',
          color: 'url(//evil)',
          symbolList: [{ Code: 'B' }, 3],
        },
      ],
      palette: 7,
      leftAxis: 'no',
      interpolation: 'none',
    }
    const { series, leftAxis, palette, interpolation } = spec(damaged)
    expect(series).toHaveLength(1)
    expect(series[0]).toMatchObject({ kind: 'line', thickness: 1.4, color: undefined })
    expect({ leftAxis, palette, interpolation }).toEqual({
      leftAxis: { domain: 'Default', log: false, numberFormat: 'Automatic' },
      palette: 'COLORFUL_2',
      interpolation: 'linear',
    })
  })

  test('stores selected series in the tile and their query in the data prep', () => {
    const picked = [
      { groupName: 'G', symbols: { Code: 'B' }, column: 'Price' },
      { groupName: 'G', symbols: { Code: 'B' }, column: 'Volume' },
      { groupName: 'G', symbols: { Code: 'W' }, column: 'Price' },
    ]
    const series = seriesOfPicked(picked, false)
    expect(series.map(({ label }) => label)).toEqual(['B Price', 'B Volume', 'W'])
    expect(withSeries(series, { symbols: [], name: 'kept' }).prep).toEqual({
      name: 'kept',
      symbols: [
        { groupName: 'G', symbols: { Code: 'B' }, valueColumnNames: ['Price', 'Volume'] },
        { groupName: 'G', symbols: { Code: 'W' }, valueColumnNames: ['Price'] },
      ],
    })
    expect(seriesOfPicked([picked[0]!, picked[2]!], true)).toMatchObject([
      { label: 'B + W', symbolList: [{ Code: 'B' }, { Code: 'W' }] },
    ])
  })

  test('series of old definitions without symbols use those of the data prep', () => {
    const prep = { symbols: [{ groupName: 'G', symbols: { Code: 'B' } }] }
    expect(chartSymbols(chartTile.parse({ series: [{ column: 'Price' }] }).series, prep)).toEqual(
      prep.symbols,
    )
  })
})

describe('table', () => {
  test('IN-205 IN-206 IN-207 numbers have thousands separators, a break after the first comma when long, and a unit', () => {
    for (const [text, style, expected] of [
      ['1234', {}, '1,234'],
      ['1234567', {}, '1,234,567'],
      ['12345678', {}, '12,\n345,678'],
      ['-1234567', {}, '-1,\n234,567'],
      ['123.5', { unit: '$', unitOnFront: true }, '$123.5'],
      ['-123.5', { unit: '$', unitOnFront: true }, '-$123.5'],
      ['123.5', { unit: '%' }, '123.5\u00a0%'],
      ['123.5', { unit: '$' }, '123.5$'],
      ['123.5', { unit: '%', unitOnFront: true }, '%123.5'],
      ['123.5', {}, '123.5'],
      ['-1234.5', { decimals: 2 }, '-1,234.50'],
      ['', { unit: '$' }, ''],
      ['n/a', { unit: '$' }, 'n/a'],
    ] as const)
      expect(formatCellNumber(text, { unit: '', unitOnFront: false, ...style })).toBe(expected)
  })

  test('columns keep the order of the data unless the tile sets one', () => {
    const names = (columns: object[]) =>
      orderedColumns(result, tableTile.parse({ columns })).map(({ settings }) => settings.columnId)
    expect(names([])).toEqual(['Code', 'Date', 'Price', 'Volume', 'Note'])
    expect(names([{ columnId: 'Price' }])).toEqual(['Code', 'Date', 'Price', 'Volume', 'Note'])
    expect(names([{ columnId: 'Note' }, { columnId: 'Gone' }, { columnId: 'Code' }])).toEqual([
      'Date',
      'Price',
      'Volume',
      'Note',
      'Code',
    ])
  })

  test('IN-202 IN-203 a sorting column contains columnName, id and an order, Ascending or Descending', () => {
    const sorting = (sortOrder: string) => ({ columnName: 'Price', id: 'Price', sortOrder })
    const { sortingColumns } = tableTile.parse({
      sortingColumns: [sorting('Ascending'), sorting('Descending'), sorting('Sideways')],
    })
    expect(sortingColumns.slice(0, 2)).toEqual([sorting('Ascending'), sorting('Descending')])
    expect(sortingColumns.map(({ sortOrder }) => sortOrder)).not.toContain('Sideways')
  })

  test('IN-202 IN-203 rows are sorted by several columns, numbers as numbers, empty cells last', () => {
    const columns = orderedColumns(result, tableTile.parse({}))
    const prices = (order: 'asc' | 'desc') =>
      sortRows(result.rows, columns, [{ columnId: 'Price', order }]).map((row) => row[2])
    expect(prices('asc')).toEqual(['1', '3', '10.25', ''])
    expect(prices('desc')).toEqual(['10.25', '3', '1', ''])
    const both = sortRows(result.rows, columns, [
      { columnId: 'Code', order: 'desc' },
      { columnId: 'Volume', order: 'asc' },
    ])
    expect(both.map((row) => row[3])).toEqual(['5', '10', '20', '30'])
    expect(sortRows(result.rows, columns, [])).toBe(result.rows)
  })

  test('a saved table escapes cells that a spreadsheet would execute', () => {
    const columns = orderedColumns(result, tableTile.parse({}))
    expect(tableCsv(columns, result.rows.slice(1), 'UTC')).toBe(
      'Code,Date (UTC),Price,Volume,Note\r\n' +
        'B,2026-01-02T00:00:00,,20,\'=1+1\r\nB,2026-01-01T00:00:00,1,10,\r\nW,2026-01-01T00:00:00,10.25,5,"a, b"\r\n',
    )
    expect(tableCsv(columns, result.rows.slice(1), 'UTC', { isExact: true })).toContain(',20,=1+1\r\n')
  })
})

describe('conditions', () => {
  const cases: [string, Condition, string, string, boolean][] = [
    ['10', '>', '9', '', true],
    ['10', '>', '10', '', false],
    ['11', '>=', '10', '', true],
    ['10', '>=', '10', '', true],
    ['9', '>=', '10', '', false],
    ['9', '<', '10', '', true],
    ['10', '<', '10', '', false],
    ['9', '<=', '10', '', true],
    ['9', '<=', '9', '', true],
    ['10', '<=', '9', '', false],
    ['1.0', '==', '1', '', true],
    ['2', '==', '1', '', false],
    ['a', '!=', 'b', '', true],
    ['1.0', '!=', '1', '', false],
    ['5', 'between', '9', '1', true],
    ['1', 'between', '1', '9', true],
    ['9', 'between', '1', '9', true],
    ['0', 'between', '1', '9', false],
    ['10', 'between', '1', '9', false],
    ['0', 'not between', '1', '9', true],
    ['10', 'not between', '1', '9', true],
    ['1', 'not between', '1', '9', false],
    ['9', 'not between', '1', '9', false],
    ['', 'not between', '1', '9', false],
    ['b', 'one of', 'a, b', '', true],
    ['c', 'one of', 'a, b', '', false],
    ['c', 'not one of', 'a, b', '', true],
    ['b', 'not one of', 'a, b', '', false],
    ['Brent', 'regex', '^BR', '', true],
    ['Brent', 'regex', '^RE', '', false],
    ['Brent', 'regex', '(', '', false],
    ['x', 'for every different value', '', '', true],
    ['', '>', '1', '', false],
    ['text', '<', '1', '', false],
    ['Crude oil', 'contains', 'OIL', '', true],
    ['Crude oil', 'contains', 'gas', '', false],
    ['Crude oil', 'contains', '', '', false],
    ['Crude oil', '!contains', 'gas', '', true],
    ['Crude oil', '!contains', 'oil', '', false],
    ['oil, gas', 'includes', 'Gas', '', true],
    ['oil, gasoline', 'includes', 'gas', '', false],
    ['oil|gas', '!includes', 'coal', '', true],
    ['oil|gas', '!includes', 'Gas', '', false],
    ['AAPL', '>', '', '', false],
    ['', '==', '', '', false],
    ['AAPL', '!=', ' ', '', false],
    ['5', 'between', '1', '', false],
    ['5', 'not between', '', '1', false],
    ['AAPL', 'not one of', '', '', false],
    ['AAPL', '!contains', '', '', false],
    ['AAPL', '!includes', '', '', false],
  ]

  test('IN-212 IN-213 each condition is met by its values', async () => {
    const patterns = await loadPatterns()
    for (const [value, condition, conditionValueA, conditionValueB, met] of cases) {
      const stored = { condition, conditionValueA, conditionValueB }
      expect({ value, ...stored, met: meets(value, stored, patterns) }).toMatchObject({ met })
    }
    expect(new Set(cases.map(([, condition]) => condition))).toEqual(new Set(conditions))
  })
})
