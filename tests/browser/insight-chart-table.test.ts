import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent, type Tile } from '@headwater/tiles/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
/** A name of 20 characters. */
const longGroup = 'Prices of the market'

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Gas', longGroup, 'Reports']) await anna.call(createGroup, { body: { name } })
  await series(longGroup, `Code,Region,Date,Close\n${days('Brent,EU', 100)}\n${days('WTI,US', 200)}`)
  await series('Gas', `Code,Date,Close\n${days('TTF', 12_345_670)}`)
  await anna.call(createGroup, { body: { name: 'Minutes' } })
  await series('Minutes', `Code,Date,Close\n${minutes().join('\n')}`)
})

/** Points of 79 days, one every five minutes, with one peak on the first day. */
const minuteCount = 22_683
function minutes(): string[] {
  return Array.from({ length: minuteCount }, (_, at) => {
    const date = new Date(Date.UTC(2026, 0, 1) + at * 300_000).toISOString().slice(0, 19)
    return `LOAD,${date},${at === 100 ? 9999 : 50 + (at % 40)}`
  })
}

/** Thirty days of a symbol: a first value and one more each day. */
function days(symbol: string, from: number): string {
  return Array.from(
    { length: 30 },
    (_, day) => `${symbol},2026-01-${String(day + 1).padStart(2, '0')},${from + day + 1}`,
  ).join('\n')
}

async function series(groupName: string, content: string): Promise<void> {
  const given = { groupName, fileName: 'prices.csv', fileType: 'NCSV', content }
  expect(await upload(anna, given)).toMatchObject({ status: 'READY' })
}

async function makeInsight(insightName: string, tiles: object[], datapreps: object = {}): Promise<void> {
  const content = { ...emptyContent(), tiles, datapreps } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

async function open(insightName: string, options: BrowserContextOptions = {}): Promise<Page> {
  return stage.open(`/Insight/Reports/${encodeURIComponent(insightName)}`, anna, options)
}

/** Opens an insight in the builder with a tile selected. */
async function edit(insightName: string, title: string): Promise<Page> {
  const page = await open(insightName)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, title).getByRole('heading', { name: title }).click()
  return page
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()
const field = (page: Page, label: string) => page.getByRole('tabpanel').getByLabel(label, { exact: true })

async function stored(page: Page, insightName: string, title?: string): Promise<Tile> {
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  const { content } = await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })
  return content.tiles.find((each) => title === undefined || each.title === title)!
}

/** Returns the choices of a field and selects one of them. */
async function choose(control: Locator, option: string): Promise<string[]> {
  await control.click()
  const list = control.page().getByRole('listbox').filter({ visible: true })
  await list.getByRole('option', { name: option, exact: true }).waitFor()
  const all = await list.getByRole('option').allTextContents()
  await list.getByRole('option', { name: option, exact: true }).click()
  return all
}

const line = (code: string, more: object = {}) => ({
  label: code,
  groupName: longGroup,
  symbolList: [{ Code: code, Region: code === 'WTI' ? 'US' : 'EU' }],
  column: 'Close',
  ...more,
})
const entry = (groupName: string, Code: string, Region?: string) => ({
  groupName,
  symbols: Region === undefined ? { Code } : { Code, Region },
})
const table = (id: string, more: object = {}) => ({ id, title: id, type: 'Table', ...more })
const typed = (dataContent: string, more: object = {}) => ({
  source: { type: 'EDITOR' },
  dataContent,
  ...more,
})

/** The texts of a column of a table, from top to bottom. */
const cells = (page: Page, title: string, column: number) =>
  tile(page, title).locator(`[data-index] > [role=gridcell]:nth-child(${column})`).allTextContents()
const cell = (page: Page, title: string, row: number, column: number) =>
  tile(page, title).locator(`[data-index="${row}"] > [role=gridcell]:nth-child(${column})`)
const css = (locator: Locator, name: string) =>
  locator.evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), name)

test('IN-112 IN-164 IN-165 IN-168 the menu offers advanced, seasonality and quick charts, stored as composed or seasonality', async () => {
  await makeInsight('Kinds', [{ id: 'x', title: 'Words', type: 'Text' }])
  const page = await open('Kinds')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const add = page.getByRole('button', { name: 'Add tile' })
  await add.click()
  const names = await page.getByRole('menuitem').allTextContents()
  expect(names.filter((name) => name.includes('chart'))).toEqual([
    'Advanced chart',
    'Seasonality chart',
    'Quick chart',
  ])
  await page.getByRole('menuitem', { name: 'Advanced chart' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.waitFor()
  await page.keyboard.press('Escape')
  await tile(page, 'Line chart').getByText('No series yet').waitFor()
  await page
    .getByRole('complementary', { name: 'Settings' })
    .getByRole('heading', { name: 'Advanced chart' })
    .waitFor()
  await add.click()
  await page.getByRole('menuitem', { name: 'Seasonality chart' }).click()
  await picker.waitFor()
  await page.keyboard.press('Escape')
  await field(page, 'First month of the year').waitFor()
  expect(await choose(field(page, 'Chart'), 'Advanced chart')).toEqual([
    'Advanced chart',
    'Seasonality chart',
  ])
  await field(page, 'First month of the year').waitFor({ state: 'detached' })
  await choose(field(page, 'Chart'), 'Seasonality chart')
  await field(page, 'First month of the year').waitFor()
  await add.click()
  await page.getByRole('menuitem', { name: 'Quick chart' }).click()
  await picker.getByRole('button', { name: /^Gas/ }).click()
  await picker.getByRole('button', { name: 'TTF, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await tile(page, 'Close of TTF').locator('canvas').first().waitFor()
  await stored(page, 'Kinds')
  const { content } = await anna.call(getInsight, {
    params: { groupName: 'Reports', insightName: 'Kinds' },
  })
  const charts = content.tiles.filter(({ type }) => type === 'Chart')
  expect(new Set(charts.map(({ title, basicChartType }) => `${title}: ${String(basicChartType)}`))).toEqual(
    new Set(['Line chart: composed', 'Seasonality chart: seasonality', 'Close of TTF: composed']),
  )
  for (const chart of charts)
    expect(chart).toMatchObject({
      id: expect.any(String),
      type: 'Chart',
      tileWidth: 'full',
      tileHeight: 'half',
    })
})

test('a seasonality chart shows the range and the average of five years, with legend entries and tooltip values', async () => {
  const years = Array.from({ length: 8 }, (_, at) => 2019 + at)
  const rows = years.flatMap((year) => ['03-10', '06-10'].map((day) => `NBP,${year}-${day},${year - 2000}`))
  await series('Gas', `Code,Date,Close\n${rows.join('\n')}`)
  const nbp = { label: 'NBP', groupName: 'Gas', symbolList: [{ Code: 'NBP' }], column: 'Close' }
  await makeInsight('Range', [
    { id: 'c', title: 'Chart', type: 'Chart', basicChartType: 'seasonality', series: [nbp] },
  ])
  const page = await edit('Range', 'Chart')
  const legend = () => tile(page, 'Chart').locator('button[aria-pressed]').allTextContents()
  await expect.poll(legend).toEqual(years.map(String).toReversed())
  await tab(page, 'Data')
  await field(page, 'Five-year range').check()
  await expect.poll(() => field(page, 'Years shown as lines').inputValue()).toBe('2')
  await field(page, 'Five-year average').check()
  await expect.poll(legend).toEqual(['Range 2021–2025', 'Average 2021–2025', '2026', '2025'])
  const plot = tile(page, 'Chart').getByRole('application')
  await plot.focus()
  await plot.press('Home')
  const tip = tile(page, 'Chart').locator('.hw-chart-tip')
  await tip.getByText('Range 2021–2025').waitFor()
  expect(await tip.locator('.hw-chart-row').allTextContents()).toEqual([
    'Range 2021–202521 – 25',
    'Average 2021–202523',
    '202525',
    '202626',
  ])
  expect(await stored(page, 'Range')).toMatchObject({
    seasonRange: true,
    seasonAverage: true,
    seasonLines: 2,
  })
})

test('series are added from the group of the last one, and the settings of the last one open', async () => {
  await makeInsight(
    'Added',
    [
      { id: 'c', title: 'Chart', type: 'Chart', series: [line('Brent')] },
      { id: 't', title: 'Table', type: 'Table' },
    ],
    {
      c: { symbols: [entry(longGroup, 'Brent', 'EU')] },
      t: { symbols: [entry('Gas', 'TTF'), entry(longGroup, 'WTI', 'US')] },
    },
  )
  const page = await edit('Added', 'Chart')
  await page.getByRole('button', { name: 'Add series' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  const begun = picker
    .getByRole('list', { name: 'Groups with symbols' })
    .getByRole('button', { pressed: true })
  await expect.poll(() => begun.getAttribute('title')).toBe(longGroup)
  await picker.getByRole('button', { name: /^Gas/ }).click()
  await picker.getByRole('button', { name: 'TTF, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  const series = page.getByRole('tabpanel', { name: 'Series' })
  await expect
    .poll(() => series.getByRole('button', { expanded: true }).allTextContents())
    .toEqual([expect.stringContaining('TTF') as string])
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Quick chart' }).click()
  await expect.poll(() => begun.getAttribute('title')).toBe(longGroup)
})

test('IN-169 IN-170 IN-172 IN-174 IN-187 the editor sets domain and unit of both axes, the layout and the palette', async () => {
  await makeInsight('Axes', [
    {
      id: 'c',
      title: 'Chart',
      type: 'Chart',
      series: [line('Brent')],
      leftAxis: { domain: 'Fit to data', unit: '%' },
      rightAxis: { domain: 'Zero to data max', unit: '$' },
      layout: 'vertical',
    },
  ])
  const page = await edit('Axes', 'Chart')
  await tab(page, 'Axes')
  const domains = ['Default', 'Fit to data', 'Zero to data max', 'Zero to 100', 'Auto scale']
  for (const [side, domain, nextDomain, unit, nextUnit] of [
    ['Left', 'Fit to data', 'Zero to 100', '%', '$'],
    ['Right', 'Zero to data max', 'Auto scale', '$', '%'],
  ] as const) {
    expect(await field(page, `${side} value range`).inputValue()).toBe(domain)
    expect(await choose(field(page, `${side} value range`), nextDomain)).toEqual(domains)
    expect(await field(page, `${side} unit`).inputValue()).toBe(unit)
    expect(await choose(field(page, `${side} unit`), nextUnit)).toEqual(['None', '$', '%'])
  }
  expect(await field(page, 'Layout').inputValue()).toBe('Vertical')
  expect(await choose(field(page, 'Layout'), 'Horizontal')).toEqual(['Horizontal', 'Vertical'])
  await tab(page, 'Style')
  await choose(field(page, 'Palette'), 'Red')
  expect(await stored(page, 'Axes')).toMatchObject({
    leftAxis: { domain: 'Zero to 100', unit: '$' },
    rightAxis: { domain: 'Auto scale', unit: '%' },
    layout: 'horizontal',
    palette: 'RED',
  })
})

test('the editor sets ends, a logarithmic axis, a unit of any text and the format of numbers', async () => {
  await makeInsight('Ends', [{ id: 'c', title: 'Chart', type: 'Chart', series: [line('Brent')] }])
  const page = await edit('Ends', 'Chart')
  await tab(page, 'Axes')
  await field(page, 'Left minimum').fill('200')
  await field(page, 'Left maximum').fill('50')
  await page.getByText('The minimum must be less than the maximum.').waitFor()
  await field(page, 'Left minimum').fill('0')
  await page.getByRole('tabpanel').getByText('Left axis logarithmic').click()
  await page.getByText('A logarithmic axis begins above 0.').waitFor()
  await field(page, 'Left minimum').fill('0.5')
  await field(page, 'Left maximum').fill('5000')
  await field(page, 'Left custom unit').fill('m³ a day')
  expect(await field(page, 'Left unit').inputValue()).toBe('m³ a day')
  expect(await choose(field(page, 'Left number format'), 'In full')).toEqual([
    'Automatic',
    'In full',
    'Short',
    'Scientific',
  ])
  await field(page, 'Left decimals').fill('1')
  const plot = tile(page, 'Chart').getByRole('application')
  await page.keyboard.press('Escape')
  await plot.focus()
  await page.keyboard.press('Home')
  await tile(page, 'Chart').locator('.hw-chart-tip').getByText('101.0 m³ a day').waitFor()
  expect(await stored(page, 'Ends')).toMatchObject({
    leftAxis: {
      min: 0.5,
      max: 5000,
      log: true,
      unit: 'm³ a day',
      numberFormat: 'In full',
      decimals: 1,
    },
  })

  await tile(page, 'Chart').getByRole('button', { name: 'Actions of Chart' }).click()
  await page.getByRole('menuitem', { name: 'Show as table' }).click()
  const values = page.getByRole('region', { name: 'Chart as a table' }).getByRole('cell')
  await expect
    .poll(async () => (await values.allTextContents()).slice(0, 2))
    .toEqual(['101.0 m³ a day', '102.0 m³ a day'])
})

test('IN-113 IN-114 IN-172 IN-183 IN-184 IN-185 IN-186 IN-188 IN-189 the editor sets palette, interpolation, title, legend, rules and size of a chart', async () => {
  const chart = {
    id: 'c',
    title: 'Chart',
    type: 'Chart',
    tileWidth: 'full',
    tileHeight: 'half',
    legendSorting: 'ASC',
    series: [line('WTI'), line('Brent')],
  }
  await makeInsight('Style', [chart, { id: 'w', title: 'Words', type: 'Text', tileHeight: 'full' }])
  const page = await edit('Style', 'Chart')
  await tab(page, 'Style')
  expect(await field(page, 'Palette').inputValue()).toBe('Colourful 2')
  expect(await choose(field(page, 'Palette'), 'Green')).toEqual([
    'Colourful 2',
    'Blue',
    'Colourful 1',
    'Green',
    'Red',
  ])
  expect(await choose(field(page, 'Interpolation'), 'Bump X')).toEqual([
    'Linear',
    'Monotone',
    'Step after',
    'Step before',
    'Step',
    'Basis',
    'Basis closed',
    'Basis open',
    'Bump X',
    'Bump Y',
    'Bump',
    'Linear closed',
    'Natural',
    'Monotone X',
    'Monotone Y',
  ])
  await field(page, 'Title inside the chart').fill('Crude')
  expect(await field(page, 'Title size').inputValue()).toBe('Standard')
  expect(await choose(field(page, 'Title size'), 'Huge')).toEqual(['Small', 'Standard', 'Big', 'Huge'])
  expect(await field(page, 'Legend size').inputValue()).toBe('Standard')
  expect(await choose(field(page, 'Legend size'), 'Big')).toEqual(['Standard', 'Big'])
  const legend = () => tile(page, 'Chart').locator('button[aria-pressed]').allTextContents()
  await expect.poll(legend).toEqual(['Brent', 'WTI'])
  expect(await field(page, 'Legend order').inputValue()).toBe('A to Z')
  expect(await choose(field(page, 'Legend order'), 'Z to A')).toEqual(['As added', 'A to Z', 'Z to A'])
  await expect.poll(legend).toEqual(['WTI', 'Brent'])
  await page.getByRole('button', { name: 'Add rule' }).click()
  await choose(field(page, 'Condition'), 'between')
  await field(page, 'From').fill('110')
  await field(page, 'To').fill('120')
  await choose(field(page, 'Colour'), 'Red')
  expect(await field(page, 'Width').inputValue()).toBe('100%')
  expect(await choose(field(page, 'Width'), '50%')).toEqual(['100%', '50%'])
  expect(await field(page, 'Height').inputValue()).toBe('50%')
  expect(await choose(field(page, 'Height'), '25%')).toEqual(['100%', '50%', '25%'])
  await tile(page, 'Words').getByRole('heading', { name: 'Words' }).click()
  await tab(page, 'Style')
  await expect.poll(() => field(page, 'Height').inputValue()).toBe('100%')
  expect(await stored(page, 'Style')).toMatchObject({
    palette: 'GREEN',
    interpolation: 'bumpX',
    chartTitle: 'Crude',
    titleSize: 'Huge',
    legendSize: 'Big',
    legendSorting: 'DESC',
    conditionalFormatting: [
      {
        applyTo: 'ALL',
        condition: 'between',
        conditionValueA: '110',
        conditionValueB: '120',
        color: '--series-4',
      },
    ],
    tileWidth: 'half',
    tileHeight: 'quarter',
  })
})

test('IN-176 IN-177 IN-178 IN-179 IN-180 IN-181 IN-182 the editor sets the style of a series and preserves its symbol', async () => {
  const series = [line('Brent', { lineStyle: 'SOLID', operation: 'SUM' })]
  await makeInsight('Series', [{ id: 'c', title: 'Chart', type: 'Chart', series }])
  const page = await edit('Series', 'Chart')
  await tab(page, 'Series')
  await field(page, 'Label').fill('Crude')
  expect(await choose(field(page, 'Kind'), 'Area')).toEqual(['Line', 'Area', 'Bars', 'Scatter'])
  await choose(field(page, 'Axis'), 'Right')
  await field(page, 'Thickness').fill('3')
  await field(page, 'Opacity').fill('0.5')
  expect(await field(page, 'Line').inputValue()).toBe('Solid')
  expect(await choose(field(page, 'Line'), 'Dashed')).toEqual(['Solid', 'Dashed'])
  await choose(field(page, 'Colour'), 'Purple')
  await choose(field(page, 'Moving average'), '5 values')
  expect(await field(page, 'Duplicate dates').inputValue()).toBe('Sum')
  expect(await choose(field(page, 'Duplicate dates'), 'Average')).toEqual(['Sum', 'Average'])
  await page.getByLabel('Reference line').click()
  await page.getByRole('button', { name: 'Duplicate Crude' }).click()
  await choose(field(page, 'Kind'), 'Bars')
  await page.getByLabel('Histogram').click()
  await page.getByRole('button', { name: 'Duplicate Crude' }).click()
  await choose(field(page, 'Kind'), 'Scatter')
  await field(page, 'Dot size').fill('9')
  await page.getByRole('button', { name: 'Move up' }).click()
  const { series: lines } = (await stored(page, 'Series')) as { series?: unknown }
  const shared = {
    label: 'Crude',
    groupName: longGroup,
    symbolList: [{ Code: 'Brent', Region: 'EU' }],
    column: 'Close',
    axis: 'right',
    lineThickness: 3,
    lineOpacity: 0.5,
    lineStyle: 'DASHED',
    color: '--series-5',
    movingAverage: true,
    movingAverageValue: 5,
    operation: 'Average',
    withReferenceLine: true,
  }
  expect(lines).toMatchObject([
    { ...shared, chartType: 'area', isHistogram: false, dotSize: 5 },
    { ...shared, chartType: 'scatter', dotSize: 9 },
    { ...shared, chartType: 'bars', isHistogram: true },
  ])
})

test('IN-190 the editor offers 15 starts of the seasonal year; clearing a chart resets everything except its frame', async () => {
  await makeInsight(
    'Seasons',
    [
      {
        id: 'c',
        title: 'Seasons',
        type: 'Chart',
        tileWidth: 'half',
        tileHeight: 'full',
        actions: [{ actionName: 'Approve', type: 'RUN' }],
        partners: ['Anna'],
        basicChartType: 'seasonality',
        range: 'ALL',
        legendSize: 'Big',
        hidden: true,
        series: [line('Brent')],
      },
    ],
    { c: { symbols: [{ groupName: 'Prices', symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }] } },
  )
  const page = await edit('Seasons', 'Seasons')
  await tab(page, 'Data')
  const offered = await choose(field(page, 'First month of the year'), 'Last recorded date')
  expect(offered).toEqual([
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
    'Current month',
    'First recorded date',
    'Last recorded date',
  ])
  expect(await stored(page, 'Seasons')).toMatchObject({ seasonality: 'Last recorded date' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Seasons').getByRole('heading', { name: 'Seasons' }).click()
  await tab(page, 'Data')
  await page.getByRole('button', { name: 'Clear the chart' }).click()
  await tile(page, 'Seasons').getByText('No series yet').waitFor()
  const cleared = await stored(page, 'Seasons')
  expect(cleared).toMatchObject({
    id: 'c',
    title: 'Seasons',
    tileWidth: 'half',
    tileHeight: 'full',
    actions: [{ actionName: 'Approve', type: 'RUN' }],
    partners: ['Anna'],
    basicChartType: 'composed',
    legendSize: 'Standard',
    seasonality: 'January',
    series: [],
  })
  expect(cleared).not.toHaveProperty('hidden')
  const { content } = await anna.call(getInsight, {
    params: { groupName: 'Reports', insightName: 'Seasons' },
  })
  expect(content.datapreps).not.toHaveProperty('c.symbols.0')
})

test('IN-192 IN-193 IN-194 IN-207 the editor sets header, text, colours, size and unit of a table column', async () => {
  const columns = [
    { columnId: 'Value', textStyle: 'lighter' },
    { columnId: 'Share', isNumber: true, unit: '%' },
  ]
  const rows = 'Name,Value,Share\nAnn,1234.5,40\nBob,7,60'
  await makeInsight('Columns', [table('T', typed(rows, { columns }))])
  const page = await edit('Columns', 'T')
  await tab(page, 'Columns')
  await page.getByRole('tabpanel').getByRole('button', { name: 'Value', exact: true }).click()
  await field(page, 'Header').fill('Price')
  await choose(field(page, 'Align'), 'Center')
  expect(await field(page, 'Style').inputValue()).toBe('Lighter')
  expect(await choose(field(page, 'Style'), 'Bold')).toEqual(['Bold', 'Normal', 'Lighter'])
  await choose(field(page, 'Value type'), 'Numbers')
  await field(page, 'Unit').fill('$')
  await field(page, 'Unit before the value').check()
  await field(page, 'Width').fill('200')
  await field(page, 'Font size').fill('16')
  await choose(field(page, 'Text colour'), 'Red')
  await choose(field(page, 'Background'), 'Grey')
  const saved = await stored(page, 'Columns')
  expect((saved.columns as object[])[0]).toMatchObject({ columnId: 'Name', textStyle: 'normal' })
  expect((saved.columns as object[])[1]).toMatchObject({
    columnId: 'Value',
    header: 'Price',
    textAlign: 'center',
    textStyle: 'bold',
    isNumber: true,
    unit: '$',
    unitOnFront: true,
    columnWidth: 200,
    fontSize: 16,
    textColor: '--series-4',
    bgColor: '--text-3',
  })
  await tile(page, 'T').getByRole('columnheader', { name: 'Price' }).waitFor()
  const displayed = cell(page, 'T', 0, 2)
  await expect.poll(() => displayed.textContent()).toBe('$1,234.5')
  expect(await cell(page, 'T', 0, 3).textContent()).toBe('40\u00a0%')
  expect(await css(displayed, 'text-align')).toBe('center')
  expect(await css(displayed, 'width')).toBe('200px')
  const text = displayed.locator('span')
  expect(await css(text, 'font-weight')).toBe('600')
  expect(await css(text, 'font-size')).toBe('16px')
  expect(await css(text, 'color')).not.toBe(await css(cell(page, 'T', 0, 1).locator('span'), 'color'))
  expect(await css(text, 'background-color')).not.toBe('rgba(0, 0, 0, 0)')
})

test('IN-195 IN-196 IN-208 dropdown and query dropdown cells select the series whose latest value an async cell shows', async () => {
  const columns = [
    { columnId: 'Code', columnType: 'dropdown', columnDropdownGroupName: longGroup },
    { columnId: 'Region', columnType: 'queryDropdown', columnDropdownGroupName: longGroup },
    {
      columnId: 'Latest',
      columnType: 'async',
      columnAsyncGroupName: longGroup,
      columnAsyncColumn: 'Close',
      asyncFilters: [
        { name: 'Code', value: '{{Code}}' },
        { name: 'Region', value: '{{Region}}' },
      ],
    },
  ]
  await makeInsight('Choices', [table('T', typed('Name,Code\nfirst,Brent\nsecond,', { columns }))])
  const page = await open('Choices')
  const code = (row: number) => tile(page, 'T').getByLabel(`Code, row ${row}`, { exact: true })
  const region = (row: number) => tile(page, 'T').getByLabel(`Region, row ${row}`, { exact: true })
  await expect.poll(() => code(1).inputValue()).toBe('Brent')
  expect(await cells(page, 'T', 4)).toEqual(['', ''])
  await region(1).fill('E')
  await expect
    .poll(() =>
      tile(page, 'T')
        .locator('datalist')
        .first()
        .locator('option')
        .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value)),
    )
    .toEqual(['Any', 'EU'])
  await region(1).fill('EU')
  await region(1).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['130', ''])

  await code(2).hover()
  await expect.poll(() => code(2).locator('option').allTextContents()).toEqual([' ', 'Any', 'Brent', 'WTI'])
  await code(2).selectOption('Any')
  await region(2).fill('US')
  await region(2).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['130', '230'])

  // Choices of a reader are not stored; those of an editor are.
  await page.reload()
  await expect.poll(() => code(1).inputValue()).toBe('Brent')
  expect(await region(1).inputValue()).toBe('')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'T').getByRole('heading', { name: 'T' }).click()
  await code(2).hover()
  await code(2).selectOption('Any')
  await region(2).fill('US')
  await region(2).press('Enter')
  await expect.poll(() => cells(page, 'T', 4)).toEqual(['', '230'])
  const saved = await stored(page, 'Choices')
  expect(saved.dataContent).toBe('Name,Code,Region\nfirst,Brent,\nsecond,*,US')
})

test('IN-195 IN-196 the editor adds dropdown and async columns; choices are stored with their row', async () => {
  await makeInsight('Added columns', [table('T', { lastTypeAmount: 2 })], {
    T: { symbols: [entry(longGroup, 'Brent', 'EU')] },
  })
  const page = await edit('Added columns', 'T')
  await tab(page, 'Columns')
  await choose(field(page, 'Add a column'), 'Dropdown')
  expect(await choose(field(page, 'Column type'), 'Dropdown')).toEqual([
    'Text',
    'Dropdown',
    'Query dropdown',
    'Async (time-series data)',
  ])
  await field(page, 'Group').fill('Gas')
  await page.getByRole('option', { name: 'Gas', exact: true }).click()
  await page.getByRole('tabpanel').getByLabel('Symbol key', { exact: true }).fill('Code')
  await field(page, 'Header').fill('Compared with')
  await choose(field(page, 'Add a column'), 'Async (time-series data)')
  await field(page, 'Group of the series').fill('Gas')
  await page.getByRole('option', { name: 'Gas', exact: true }).click()
  await field(page, 'Value column').fill('Close')
  await page.getByRole('button', { name: 'Add filter' }).click()
  await field(page, 'Symbol key').last().fill('Code')
  await field(page, 'Value').fill('{{Choice}}')
  const chosen = tile(page, 'T').getByLabel('Compared with, row 1')
  await chosen.hover()
  await chosen.selectOption('TTF')
  await expect.poll(() => cells(page, 'T', 6)).toEqual(['12,\n345,700', ''])
  const saved = await stored(page, 'Added columns')
  expect(saved.cells).toEqual({ 'Brent|EU|2026-01-30T00:00:00': { Choice: 'TTF' } })
  expect(saved.columns).toMatchObject([
    {},
    {},
    {},
    {},
    { columnId: 'Choice', columnType: 'dropdown', columnDropdownGroupName: 'Gas', columnDropdownKey: 'Code' },
    {
      columnId: 'Lookup',
      columnType: 'async',
      columnAsyncGroupName: 'Gas',
      asyncFilters: [{ name: 'Code', value: '{{Choice}}' }],
    },
  ])
})

test('IN-198 IN-199 header, odd rows, even rows and the footer each have align, colour, style, background and font size', async () => {
  const rowConfigs = [
    { id: 'Header', align: 'right', style: 'bold', color: '--series-6', fontSize: 14 },
    { id: 'Row 1', align: 'center', style: 'lighter', color: '--series-7', fontSize: 15 },
    { id: 'Row 2', align: 'right', style: 'bold', color: '--series-8', fontSize: 16 },
  ]
  await makeInsight('Rows', [
    table('T', {
      ...typed('Name,Value\nAnn,1\nBob,2\nCleo,3', { columns: [{ columnId: 'Value', footer: 'Sum' }] }),
      rowConfigs,
    }),
  ])
  const page = await edit('Rows', 'T')
  await tab(page, 'Rows')
  for (const [id, background, ...set] of [
    ['Header', 'Blue', 'right', 'bold', 'Gold', '14'],
    ['Odd rows', 'Orange', 'center', 'lighter', 'Cyan', '15'],
    ['Even rows', 'Green', 'right', 'bold', 'Brown', '16'],
    ['Footer', 'Red', 'Same as column', 'normal', 'Auto', ''],
  ] as const) {
    await page.getByRole('button', { name: id, exact: true }).click()
    const values = ['align', 'style', 'colour', 'font size'].map((name) =>
      field(page, `${id}, ${name}`).inputValue(),
    )
    expect(await Promise.all(values)).toEqual(set)
    await choose(field(page, `${id}, background`), background)
  }
  await choose(field(page, 'Footer, align'), 'left')
  await choose(field(page, 'Footer, style'), 'lighter')
  await choose(field(page, 'Footer, colour'), 'Purple')
  await field(page, 'Footer, font size').fill('20')
  expect((await stored(page, 'Rows')).rowConfigs).toEqual([
    { ...rowConfigs[0], background: '--series-1' },
    { ...rowConfigs[1], background: '--series-2' },
    { ...rowConfigs[2], background: '--series-3' },
    {
      id: 'Footer',
      align: 'left',
      style: 'lighter',
      color: '--series-5',
      background: '--series-4',
      fontSize: 20,
    },
  ])
  const rows = tile(page, 'T').getByRole('row')
  await expect.poll(() => rows.count()).toBe(5)
  const backs = await Promise.all((await rows.all()).map((row) => css(row, 'background-color')))
  expect(new Set(backs).size).toBe(4)
  expect(backs[1]).toBe(backs[3])
  const looks = (locator: Locator) =>
    Promise.all(['text-align', 'font-weight', 'font-size', 'color'].map((name) => css(locator, name)))
  const [odd, even] = [0, 1].map((row) => cell(page, 'T', row, 1).locator('span'))
  const head = tile(page, 'T').getByRole('columnheader', { name: 'Name' })
  const footer = tile(page, 'T').getByText('Sum 6')
  expect((await looks(odd!)).slice(0, 3)).toEqual(['center', '300', '15px'])
  expect((await looks(even!)).slice(0, 3)).toEqual(['end', '600', '16px'])
  expect((await looks(head)).slice(1, 3)).toEqual(['600', '14px'])
  expect(await css(head, 'justify-content')).toBe('flex-end')
  expect((await looks(footer)).slice(0, 3)).toEqual(['start', '300', '20px'])
  const rowColours = [odd!, even!, head, footer].map(async (locator) => (await looks(locator))[3])
  expect(new Set(await Promise.all(rowColours)).size).toBe(4)
})

test('IN-200 buttons, keys and the menu add and duplicate typed rows; cells are edited in the table', async () => {
  await makeInsight('Typed', [table('T', { source: { type: 'EDITOR' } })])
  const page = await edit('Typed', 'T')
  await tab(page, 'Data')
  await page.getByRole('button', { name: 'Add row' }).click()
  const at = (column: string, row: number) =>
    tile(page, 'T').getByLabel(`${column}, row ${row}`, { exact: true })
  await at('Column 1', 1).fill('Ann')
  await at('Column 1', 1).press('Enter')
  await at('Column 1', 1).fill('Eve')
  await at('Column 1', 1).press('Escape')
  await expect.poll(() => at('Column 1', 1).inputValue()).toBe('Ann')
  await at('Column 2', 1).fill('say "hi", 7')
  await at('Column 2', 1).press('Enter')
  await page.getByRole('button', { name: 'Duplicate row' }).click()
  await at('Column 1', 2).fill('Bob')
  await at('Column 1', 2).press('Control+d')
  await at('Column 1', 3).waitFor()
  await at('Column 1', 1).focus()
  await page.keyboard.press('Insert')
  await at('Column 1', 4).waitFor()
  await at('Column 1', 4).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete row' }).click()
  await at('Column 1', 4).waitFor({ state: 'detached' })
  await at('Column 1', 3).click({ button: 'right' })
  await page.getByRole('menuitem', { name: /^Duplicate row/ }).click()
  await at('Column 1', 4).waitFor()
  expect((await stored(page, 'Typed')).dataContent).toBe(
    ['Column 1,Column 2', 'Ann,"say ""hi"", 7"', ',', 'Bob,"say ""hi"", 7"', 'Bob,"say ""hi"", 7"'].join(
      '\n',
    ),
  )
  await expect.poll(() => cells(page, 'T', 1)).toEqual(['Ann', '', 'Bob', 'Bob'])
})

test('IN-202 IN-203 IN-204 a table sorts by several columns and has sticky rows and columns', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Column with a long name ${index}`)
  const rows = Array.from({ length: 60 }, (_, row) =>
    names.map((_, index) => (index === 0 ? row % 3 : (60 - row) * index)),
  )
  await makeInsight('Staying', [table('T', typed([names, ...rows].map((row) => row.join(',')).join('\n')))])
  const page = await edit('Staying', 'T')
  await tab(page, 'Rows')
  await choose(field(page, 'Add a column to sort by'), names[0]!)
  expect(await choose(field(page, names[0]!), 'Descending')).toEqual(['Ascending', 'Descending'])
  await choose(field(page, 'Add a column to sort by'), names[1]!)
  await field(page, 'Frozen rows').fill('2')
  await field(page, 'Frozen columns').fill('1')
  expect(await stored(page, 'Staying')).toMatchObject({
    sortingColumns: [
      { columnName: names[0], id: names[0], sortOrder: 'Descending' },
      { columnName: names[1], id: names[1], sortOrder: 'Ascending' },
    ],
    stickyRows: 2,
    stickyColumns: 1,
  })
  await expect.poll(async () => (await cells(page, 'T', 2)).slice(0, 3)).toEqual(['1', '4', '7'])
  const at = async (row: number, column: number) => {
    const { x, y } = (await cell(page, 'T', row, column).boundingBox())!
    return { x: Math.round(x), y: Math.round(y) }
  }
  const before = { corner: await at(0, 1), second: await at(1, 1) }
  await tile(page, 'T')
    .getByRole('grid')
    .evaluate((element) => element.scrollTo(600, 700))
  await cell(page, 'T', 24, 1).waitFor()
  await expect.poll(async () => ({ corner: await at(0, 1), second: await at(1, 1) })).toEqual(before)
  expect((await at(24, 1)).x).toBe(before.corner.x)
})

test('IN-205 IN-206 IN-209 the group-name column is as wide as its longest name; long numbers break after their first comma, even in a German browser', async () => {
  await makeInsight(
    'Groups',
    [table('Short', { showGroupName: true }), table('Long', { showGroupName: true })],
    {
      Short: { symbols: [entry('Gas', 'TTF')] },
      Long: { symbols: [entry('Gas', 'TTF'), entry(longGroup, 'WTI', 'US')] },
    },
  )
  const page = await open('Groups', { locale: 'de-DE' })
  await tile(page, 'Short').getByRole('columnheader', { name: 'Group name' }).waitFor()
  const width = async (title: string) => (await cell(page, title, 0, 1).boundingBox())!.width
  expect(await width('Short')).toBe(106)
  await cell(page, 'Long', 0, 1).waitFor()
  expect(await width('Long')).toBe(8 * 20 + 38)
  expect(await cell(page, 'Short', 0, 1).textContent()).toBe('Gas')
  expect(new Set((await cells(page, 'Long', 1)).slice(0, 2))).toEqual(new Set(['Gas', longGroup]))
  expect(await cell(page, 'Short', 0, 4).textContent()).toBe('12,\n345,700')
  const lines = await cell(page, 'Short', 0, 4)
    .locator('span')
    .evaluate((text) => text.getClientRects()[0]!.height / parseFloat(getComputedStyle(text).lineHeight))
  expect(Math.floor(lines)).toBe(2)
})

test('IN-210 IN-211 IN-212 IN-213 rules of conditional formatting style the cells that meet them', async () => {
  await makeInsight('Rules', [table('T', typed('Name,Value,Tags\nAnn,1,"a, bc"\nBob,20,b\nCleo,3,c'))])
  const page = await edit('Rules', 'T')
  await tab(page, 'Style')
  const rule = (index: number) => page.getByRole('group', { name: `Rule ${index}` })
  const add = page.getByRole('button', { name: 'Add rule' })
  await add.click()
  const targets = await choose(rule(1).getByLabel('Apply to'), 'Value')
  expect(targets).toEqual([
    'All cells',
    'First row',
    'Last row',
    'Header',
    'Odd rows',
    'Even rows',
    'Footer',
    'Name',
    'Value',
    'Tags',
  ])
  expect(await choose(rule(1).getByLabel('Condition'), 'not between')).toEqual([
    '>',
    '>=',
    '<',
    '<=',
    '==',
    '!=',
    'between',
    'not between',
    'one of',
    'not one of',
    'regex',
    'for every different value',
    'contains',
    'does not contain',
    'includes',
    'does not include',
  ])
  await rule(1).getByLabel('From', { exact: true }).fill('2')
  await rule(1).getByLabel('To', { exact: true }).fill('9')
  await choose(rule(1).getByLabel('Text', { exact: true }), 'Blue')
  await add.click()
  await choose(rule(2).getByLabel('Apply to'), 'Last row')
  await choose(rule(2).getByLabel('Condition'), 'includes')
  await rule(2).getByLabel('Value', { exact: true }).fill('C')
  await choose(rule(2).getByLabel('Text', { exact: true }), 'Orange')
  await add.click()
  await choose(rule(3).getByLabel('Apply to'), 'Name')
  await choose(rule(3).getByLabel('Condition'), 'for every different value')
  await add.click()
  await choose(rule(4).getByLabel('Apply to'), 'First row')
  await add.click()
  await choose(rule(5).getByLabel('Apply to'), 'Even rows')
  await add.click()
  expect(await rule(6).getByLabel('Apply to').inputValue()).toBe('All cells')
  await add.click()
  await choose(rule(7).getByLabel('Apply to'), 'Header')
  await choose(rule(7).getByLabel('Condition'), 'contains')
  await rule(7).getByLabel('Value', { exact: true }).fill('tag')
  await choose(rule(7).getByLabel('Text', { exact: true }), 'Green')
  const saved = await stored(page, 'Rules')
  expect(saved.conditionalFormatting).toMatchObject([
    {
      applyTo: 'Value',
      condition: 'not between',
      conditionValueA: '2',
      conditionValueB: '9',
      textColor: '--series-1',
    },
    { applyTo: 'LAST', condition: 'includes', conditionValueA: 'C', textColor: '--series-2' },
    { applyTo: 'Name', condition: 'for every different value' },
    { applyTo: 'FIRST', condition: '>', conditionValueA: '' },
    { applyTo: 'Row 2' },
    { applyTo: 'ALL' },
    { applyTo: 'Header', condition: 'contains', conditionValueA: 'tag', textColor: '--series-3' },
  ])
  const color = (row: number, column: number) => css(cell(page, 'T', row, column).locator('span'), 'color')
  await cell(page, 'T', 0, 1).locator('span').waitFor()
  const [normal, blue] = [await color(1, 3), await color(0, 2)]
  expect(await color(1, 2)).toBe(blue)
  expect(blue).not.toBe(normal)
  expect(await color(2, 2)).toBe(normal)
  expect(await color(2, 3)).not.toBe(normal)
  const [plainHeading, tagsHeading] = ['Value', 'Tags'].map((name) =>
    css(tile(page, 'T').getByRole('columnheader').getByText(name, { exact: true }), 'color'),
  )
  expect(await tagsHeading).not.toBe(await plainHeading)
  const backs = await Promise.all(
    [0, 1, 2].map((row) => css(cell(page, 'T', row, 1).locator('span'), 'background-color')),
  )
  expect(new Set(backs).size).toBe(3)
})

test('colour scales, data bars and icon sets can be set up in the editor and format numbers, which remain text', async () => {
  const rows = typed('Name,Change,Load,Risk\nAnn,-10,0,1\nBob,0,50,2\nCleo,20,100,3')
  await makeInsight('Scales', [table('T', rows)])
  const page = await edit('Scales', 'T')
  await tab(page, 'Style')
  const rule = (index: number) => page.getByRole('group', { name: `Rule ${index}` })
  const add = async (kind: string, column: string) => {
    await page.getByRole('button', { name: 'Add rule' }).click()
    const added = page.getByRole('group', { name: /^Rule \d/ }).last()
    expect(await added.getByLabel('Text', { exact: true }).inputValue()).toBe('Auto')
    expect(await choose(added.getByLabel('Format'), kind)).toEqual([
      'Single rule',
      'Colour scale',
      'Data bar',
      'Icon set',
    ])
    await choose(added.getByLabel('Apply to'), column)
    expect(await added.getByLabel('Condition').count()).toBe(0)
  }
  await add('Data bar', 'Change')
  await add('Colour scale', 'Load')
  await choose(rule(2).getByLabel('Low', { exact: true }), 'Green')
  await choose(rule(2).getByLabel('Middle', { exact: true }), 'Gold')
  await choose(rule(2).getByLabel('High', { exact: true }), 'Red')
  await rule(2).getByLabel('Low value').fill('0')
  await rule(2).getByLabel('High value').fill('200')
  await add('Icon set', 'Risk')
  await choose(rule(3).getByLabel('Icons', { exact: true }), 'Signs: bad, warning, good')
  await rule(3).getByLabel('Reverse the icons').click()
  expect(await accessibilityProblems(page)).toEqual([])
  expect((await stored(page, 'Scales')).conditionalFormatting).toMatchObject([
    { kind: 'DATA_BAR', applyTo: 'Change' },
    {
      kind: 'COLOR_SCALE',
      applyTo: 'Load',
      lowColor: '--series-3',
      middleColor: '--series-6',
      highColor: '--series-4',
      lowValue: 0,
      highValue: 200,
    },
    { kind: 'ICON_SET', applyTo: 'Risk', iconSet: 'SIGNS', iconsReversed: true },
  ])

  for (const colorScheme of ['dark', 'light'] as const) {
    const darkmode = colorScheme === 'dark' ? 'ON' : 'OFF'
    await anna.call(updateSettings, { body: { settings: { darkmode } } })
    const seen = await open('Scales', { colorScheme })
    await seen.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    const value = (row: number, column: number) => cell(seen, 'T', row, column).locator('span')
    await value(2, 4).getByRole('img', { name: 'bad' }).waitFor()
    await value(0, 4).getByRole('img', { name: 'good' }).waitFor()
    const texts = [0, 1, 2].map((row) =>
      Promise.all([2, 3, 4].map((column) => value(row, column).innerText())),
    )
    expect(await Promise.all(texts)).toEqual([
      ['-10', '0', '1'],
      ['0', '50', '2'],
      ['20', '100', '3'],
    ])
    expect(await css(value(0, 2), 'background-image')).toContain('0%')
    expect(await css(value(2, 2), 'background-image')).toContain('33%')
    const backs = await Promise.all([0, 1, 2].map((row) => css(value(row, 3), 'background-color')))
    expect(new Set(backs).size).toBe(3)
    // text stays neutral on tints, and is the same as that of other cells in this scheme
    const plain = await css(value(0, 1), 'color')
    const onTints = [value(0, 2), value(2, 2), value(0, 3), value(1, 3), value(2, 3)]
    expect(await Promise.all(onTints.map((each) => css(each, 'color')))).toEqual(onTints.map(() => plain))
    expect(await accessibilityProblems(seen)).toEqual([])
  }
})

test('matches a pattern that hangs other matchers; reports an unsupported one in the tile and on the rule', async () => {
  const pattern = (conditionValueA: string) => ({
    applyTo: 'Name',
    condition: 'regex',
    conditionValueA,
    bgColor: '--series-3',
  })
  const rows = (...conditionalFormatting: object[]) =>
    typed(`Name,Value\n${'a'.repeat(499)}!,1\naaa,2`, { conditionalFormatting })
  await makeInsight('Long patterns', [
    table('Slow', rows(pattern('^(a+)+$'))),
    table('Old', rows(pattern('a(?=!)'))),
  ])
  const page = await open('Long patterns')
  const backs = (title: string) =>
    Promise.all([0, 1].map((row) => css(cell(page, title, row, 1).locator('span'), 'background-color')))
  const none = 'rgba(0, 0, 0, 0)'
  await tile(page, 'Old').getByText('Pattern ignored').waitFor()
  expect(await tile(page, 'Slow').getByText('Pattern ignored').count()).toBe(0)
  await expect.poll(() => backs('Slow')).toEqual([none, expect.not.stringContaining(none)])
  expect(await backs('Old')).toEqual([none, none])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Old').getByRole('heading', { name: 'Old' }).click()
  await tab(page, 'Style')
  const rule = page.getByRole('group', { name: 'Rule 1' })
  await rule.getByText('Patterns with look-ahead or look-behind').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await rule.getByLabel('Value', { exact: true }).fill('a!')
  await rule.getByText('Patterns with look-ahead').waitFor({ state: 'detached' })
  await stored(page, 'Long patterns', 'Old')
  expect(await tile(page, 'Old').getByText('Pattern ignored').count()).toBe(0)
  await expect.poll(() => backs('Old')).toEqual([expect.not.stringContaining(none), none])
})

test('IN-120 IN-213 IN-215 the tooltip of a row shows the chosen columns where their conditions hold', async () => {
  await makeInsight('Tooltips', [
    table(
      'T',
      typed('Name,Value,Note\nAnn,1,calm\nBob,20,loud', { columns: [{ columnId: 'Note', hidden: true }] }),
    ),
  ])
  const page = await edit('Tooltips', 'T')
  await tab(page, 'Menu')
  await choose(field(page, 'Add a column to the tooltip'), 'Note')
  const first = page.getByRole('group', { name: 'Tooltip line 1' })
  await first.getByLabel('Label').fill('Remark')
  await choose(first.getByLabel('Colour'), 'Green')
  await choose(first.getByLabel('Show when value is'), 'does not contain')
  await first.getByLabel('Value', { exact: true }).last().fill('angry')
  await choose(field(page, 'Add a column to the tooltip'), 'Value')
  const second = page.getByRole('group', { name: 'Tooltip line 2' })
  expect(await choose(second.getByLabel('Show when value is'), '>')).toEqual(
    expect.arrayContaining(['contains', 'does not contain', 'includes', 'does not include']),
  )
  await second.getByLabel('Value', { exact: true }).last().fill('10')
  await choose(field(page, 'Add a column to the tooltip'), 'Name')
  await page.getByRole('checkbox', { name: 'Name' }).click()
  expect((await stored(page, 'Tooltips')).tooltipConfig).toMatchObject([
    {
      value: 'Note',
      label: 'Remark',
      color: '--series-3',
      condition: '!contains',
      conditionValueA: 'angry',
      showInTooltip: true,
    },
    { value: 'Value', condition: '>', conditionValueA: '10', showInTooltip: true },
    { value: 'Name', showInTooltip: false },
  ])
  await cell(page, 'T', 0, 1).hover()
  const tooltip = page.getByRole('tooltip')
  await expect.poll(() => tooltip.innerText()).toBe('Remark\ncalm')
  expect(await tooltip.innerHTML()).toContain('var(--series-3)')
  await tile(page, 'T').getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => tooltip.innerText()).toBe('Remark\nloud\nValue\n20')
  await page.keyboard.press('Escape')
  await tooltip.waitFor({ state: 'detached' })
})

test('IN-216 IN-217 IN-218 the menu of a row previews its details here and in other tiles, and scrolls smoothly to them', async () => {
  await makeInsight(
    'Actions',
    [
      table('T', { lastTypeAmount: 1, tileHeight: 'full' }),
      { id: 'w', title: 'Words', type: 'Text', tileHeight: 'full', templateContent: 'between' },
      {
        ...table('Detail', {
          lastTypeAmount: 3,
          customActionsEnabled: false,
          contextMenuActions: [{ type: 'scrollToTile', tileIds: ['T'], label: 'Up' }],
        }),
        id: 'd1',
      },
    ],
    {
      T: { symbols: [entry(longGroup, 'Brent', 'EU'), entry(longGroup, 'WTI', 'US')] },
      d1: { symbols: [entry(longGroup, 'Brent', 'EU')] },
    },
  )
  const page = await edit('Actions', 'T')
  await tab(page, 'Menu')
  await page.getByLabel('Custom actions').click()
  for (const [index, type] of ['Preview details', 'Scroll to a tile'].entries()) {
    await page.getByRole('button', { name: 'Add action' }).click()
    const action = page.getByRole('group', { name: `Action ${index + 1}` })
    await choose(action.getByLabel('Action', { exact: true }), type)
    await action.getByLabel('Tiles', { exact: true }).click()
    await page.getByRole('option', { name: 'Detail', exact: true }).click()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('group', { name: 'Action 1' }).getByLabel('Scroll to the tiles').click()
  await page.getByRole('group', { name: 'Action 2' }).getByLabel('Menu text').fill('Down')
  expect(await stored(page, 'Actions', 'T')).toMatchObject({
    customActionsEnabled: true,
    contextMenuActions: [
      { type: 'previewDetails', tileIds: ['d1'], scrollOnPreview: true },
      { type: 'scrollToTile', tileIds: ['d1'], label: 'Down' },
    ],
  })
  const wti = tile(page, 'T').getByRole('row', { name: /WTI/ })
  await wti.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview details', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Details · T' })
  await expect.poll(() => dialog.locator('dd').allTextContents()).toEqual(['WTI', 'US', '2026-01-30', '230'])
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const inView = () =>
    tile(page, 'Detail').evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  expect(await inView()).toBe(false)
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex')))
    .toBe(await wti.getAttribute('aria-rowindex'))
  // The test records the scroll request to the browser, because the smoothness of scrolling depends on the speed of the
  // machine.
  await page.evaluate(() => {
    const scroll = Element.prototype.scrollIntoView
    Element.prototype.scrollIntoView = function (options) {
      const { behavior } = Object(options) as ScrollIntoViewOptions
      if (this.matches('[data-tile-id]'))
        document.body.dataset['scroll'] = `${behavior} ${this.getAttribute('data-tile-id')}`
      scroll.call(this, options)
    }
  })
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Down' }).click()
  await expect.poll(inView).toBe(true)
  expect(await page.locator('body').getAttribute('data-scroll')).toBe('smooth d1')
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['Brent', 'Brent', 'Brent'])
  await cell(page, 'Detail', 0, 1).click({ button: 'right' })
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Copy row', 'Preview details'])
  await page.keyboard.press('Escape')

  await tile(page, 'T').getByRole('heading', { name: 'T' }).scrollIntoViewIfNeeded()
  await wti.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview details in Detail' }).click()
  await expect.poll(inView).toBe(true)
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['WTI', 'WTI', 'WTI'])
  await tile(page, 'Detail').getByRole('button', { name: 'Show all series' }).click()
  await expect.poll(() => cells(page, 'Detail', 1)).toEqual(['Brent', 'Brent', 'Brent'])
})

test('IN-115 IN-120 a title has an explanation and a link; dates have the format of the tile', async () => {
  await makeInsight('Explained', [table('T', { lastTypeAmount: 1 })], {
    T: { symbols: [entry('Gas', 'TTF')] },
  })
  const page = await edit('Explained', 'T')
  await tab(page, 'Style')
  await page.getByLabel('Show an explanation').click()
  await field(page, 'Explanation').fill('Where gas is traded')
  await field(page, 'Link').fill('https://example.com/ttf')
  await field(page, 'Date format').fill("d MMM yyyy 'at' HH:mm")
  expect(await stored(page, 'Explained')).toMatchObject({
    titleTooltip: true,
    titleTooltipText: 'Where gas is traded',
    titleTooltipUrl: 'https://example.com/ttf',
    dateFormat: "d MMM yyyy 'at' HH:mm",
  })
  const link = tile(page, 'T').getByRole('link', { name: 'Where gas is traded' })
  expect(await link.getAttribute('href')).toBe('https://example.com/ttf')
  await link.hover()
  await page.getByRole('tooltip', { name: 'Where gas is traded' }).waitFor()
  await expect.poll(() => cells(page, 'T', 2)).toEqual(['30 Jan 2026 at 00:00'])
})

test('charts and tables with all their settings are accessible in both colour schemes', async () => {
  await makeInsight(
    'Access',
    [
      { id: 'c', title: 'Chart', type: 'Chart', series: [line('Brent'), line('WTI', { axis: 'right' })] },
      table('T', {
        showGroupName: true,
        stickyRows: 1,
        stickyColumns: 2,
        columns: [
          { columnId: 'Close', footer: 'Average' },
          {
            columnId: 'Choice',
            columnType: 'dropdown',
            columnDropdownGroupName: 'Gas',
            columnDropdownKey: 'Code',
          },
        ],
        tooltipConfig: [{ value: 'Close' }],
        customActionsEnabled: true,
        contextMenuActions: [{ type: 'scrollToTile', tileIds: ['c'] }],
        conditionalFormatting: [{ applyTo: 'ALL', condition: '>', conditionValueA: '1' }],
      }),
      table('Typed', typed('Name,Value\nAnn,1')),
    ],
    { T: { symbols: [entry(longGroup, 'Brent', 'EU')] } },
  )
  const page = await open('Access')
  await page.locator('canvas').first().waitFor()
  await cell(page, 'T', 0, 1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  for (const [title, tabs] of [
    ['Chart', ['Data', 'Series', 'Axes', 'Style']],
    ['T', ['Data', 'Columns', 'Rows', 'Style', 'Menu']],
    ['Typed', ['Data']],
  ] as const) {
    await tile(page, title).getByRole('heading', { name: title }).click()
    for (const name of tabs) {
      await tab(page, name)
      const closed = page.getByRole('tabpanel').locator('button[aria-expanded=false]').last()
      if (name === 'Columns' || name === 'Rows') await closed.click()
      expect({ title, name, problems: await accessibilityProblems(page) }).toEqual({
        title,
        name,
        problems: [],
      })
    }
  }
}, 240_000)

test('the first tile is drawn before the others, even if all responses arrive at once', async () => {
  const charts = Array.from({ length: 6 }, (_, at) => ({
    id: `c${at}`,
    title: `Chart ${at}`,
    type: 'Chart',
    tileWidth: 'half',
    lastTypeAmount: 10 + at,
    series: [line('Brent')],
  }))
  const datapreps = charts.map(({ id }) => [id, { symbols: [entry(longGroup, 'Brent', 'EU')] }])
  await makeInsight('At once', charts, Object.fromEntries(datapreps))
  const page = await stage.newPage()
  await page.addInitScript(`
    window.drawnTiles = []
    new MutationObserver(() => {
      const tiles = [...document.querySelectorAll('[data-tile-id]')].filter((tile) => tile.querySelector('canvas'))
      if (tiles.length > 0 && tiles.length !== window.drawnTiles.at(-1)) window.drawnTiles.push(tiles.length)
    }).observe(document, { subtree: true, childList: true })`)
  await page.route('**/insight/*/data', async (route) => route.fulfill({ response: await route.fetch() }))
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/At%20once')
  const drawn = async () => (await page.evaluate('window.drawnTiles')) as number[]
  await expect.poll(async () => (await drawn()).at(-1)).toBe(6)
  expect((await drawn())[0]).toBe(1)
})

describe('draws a chart with more points than one response contains', () => {
  const load = { label: 'Load', groupName: 'Minutes', symbolList: [{ Code: 'LOAD' }], column: 'Close' }
  const chart = (id: string, more: object = {}) => ({
    id,
    title: id,
    type: 'Chart',
    range: 'ALL',
    series: [load],
    ...more,
  })
  const live = (page: Page, title: string) => tile(page, title).locator('.hw-chart-live')

  test('the range All is drawn completely with every peak, and the tile shows the number of points', async () => {
    await makeInsight('All', [chart('Load')])
    const page = await open('All')
    await tile(page, 'Load')
      .getByText(/^22,683 points, [\d,]+ drawn$/)
      .waitFor()
    const plot = tile(page, 'Load').getByRole('application')
    expect(await plot.getAttribute('aria-label')).toContain(
      'from Thu 01 Jan 2026 00:00 to Fri 20 Mar 2026 18:10',
    )
    await plot.focus()
    await page.keyboard.press('Home')
    const read: string[] = []
    for (let step = 0; step < 40 && !read.at(-1)?.includes('9,999'); step++) {
      await page.keyboard.press('ArrowRight')
      read.push((await live(page, 'Load').textContent()) ?? '')
    }
    expect(read.at(-1)).toBe('Thu 01 Jan 2026 08:20: Load 9,999')
  })

  test('IN-355 a download whose points cannot be loaded shows that there is no data', async () => {
    await makeInsight('Lost', [chart('Load')])
    const page = await open('Lost')
    await tile(page, 'Load')
      .getByText(/^22,683 points/)
      .waitFor()
    await page.route('**/insight/*/data', (route) => route.abort())
    for (const form of ['Save as CSV', 'Save as XLSX']) {
      await tile(page, 'Load').getByRole('button', { name: 'Actions of Load' }).click()
      await page.getByRole('menuitem', { name: form }).click()
      const reported = page
        .getByLabel('Notifications')
        .getByText('Could not find any data to download', { exact: true })
      await reported.waitFor()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await reported.waitFor({ state: 'detached' })
    }
  })

  test('zooming in loads the points of the window, and all of them once they fit; exports contain the points in view', async () => {
    await makeInsight('Zoomed', [chart('Load')])
    const page = await open('Zoomed')
    const plot = tile(page, 'Load').getByRole('application')
    await tile(page, 'Load')
      .getByText(/^22,683 points/)
      .waitFor()
    const save = async () => {
      const download = page.waitForEvent('download')
      await tile(page, 'Load').getByRole('button', { name: 'Actions of Load' }).click()
      await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
      return (await readFile(await (await download).path(), 'utf8')).trim().split('\r\n')
    }
    expect(await save()).toHaveLength(minuteCount + 1)
    await plot.focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < 7; step++) await page.keyboard.press('+')
    await expect
      .poll(() =>
        tile(page, 'Load')
          .getByText(/points, .* drawn/)
          .count(),
      )
      .toBe(0)
    // One point after the other, five minutes apart.
    for (const time of ['00:05', '00:10', '00:15', '00:20', '00:25']) {
      await page.keyboard.press('ArrowRight')
      expect(await live(page, 'Load').textContent()).toContain(`01 Jan 2026 ${time}: `)
    }
    const lines = await save()
    expect(lines.length).toBeGreaterThan(100)
    expect(lines.length).toBeLessThan(300)
    await tile(page, 'Load').getByRole('button', { name: 'Reset zoom' }).click()
    await tile(page, 'Load')
      .getByText(/^22,683 points/)
      .waitFor()
  })

  test('a chart that computes from its points is truncated at the row limit, reports it and loads the rest on request', async () => {
    await makeInsight('Averages', [chart('Load', { series: [{ ...load, movingAverage: true }] })])
    const page = await open('Averages')
    await tile(page, 'Load').getByRole('button', { name: 'newest 5,000 of 22,683 rows · load all' }).click()
    await expect
      .poll(() =>
        tile(page, 'Load')
          .getByText(/newest/)
          .count(),
      )
      .toBe(0)
    const plot = tile(page, 'Load').getByRole('application')
    await expect.poll(() => plot.getAttribute('aria-label')).toContain('from Thu 01 Jan 2026 00:00')
  })
})

describe('neighbouring charts', () => {
  const chart = (id: string, code: string) => ({
    id,
    title: id,
    type: 'Chart',
    tileWidth: 'half',
    range: 'ALL',
    series: [line(code)],
  })
  const plot = (page: Page, title: string) => tile(page, title).getByRole('application')
  const tip = (page: Page, title: string) => tile(page, title).locator('.hw-chart-tip')

  test('charts share cursor and zoom when the insight enables it', async () => {
    await makeInsight('Together', [chart('Oil', 'Brent'), chart('Fuel', 'WTI')])
    const page = await open('Together')
    await plot(page, 'Oil').focus()
    await page.keyboard.press('Home')
    await tip(page, 'Oil').getByText('Thu 01 Jan 2026').waitFor()
    expect(await tip(page, 'Fuel').isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const shared = page.getByLabel('Chart cursor and zoom', { exact: true })
    expect(await choose(shared, 'Shared cursor and zoom')).toEqual([
      'Separate for each chart',
      'Shared cursor',
      'Shared cursor and zoom',
    ])
    await page.keyboard.press('Control+s')
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    const { content } = await anna.call(getInsight, {
      params: { groupName: 'Reports', insightName: 'Together' },
    })
    expect(content.chartSync).toBe('CURSOR_AND_ZOOM')

    await plot(page, 'Oil').focus()
    await page.keyboard.press('Home')
    await tip(page, 'Fuel').getByText('Thu 01 Jan 2026').waitFor()
    expect(await tip(page, 'Fuel').textContent()).toContain('201')
    await page.keyboard.press('+')
    await tile(page, 'Fuel').getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => page.getByRole('button', { name: 'Reset zoom' }).count()).toBe(0)
  })

  test('F or the menu maximises a tile; Esc restores it and the focus', async () => {
    await makeInsight('Large', [chart('Oil', 'Brent'), { id: 'w', title: 'Words', type: 'Text' }])
    const page = await open('Large')
    const width = async (title: string) => (await tile(page, title).boundingBox())!.width
    const window = page.viewportSize()!.width
    const before = await width('Oil')
    await plot(page, 'Oil').focus()
    await page.keyboard.press('f')
    await expect.poll(() => width('Oil')).toBe(window)
    await page.keyboard.press('Escape')
    await expect.poll(() => width('Oil')).toBe(before)

    await tile(page, 'Words').getByRole('button', { name: 'Actions of Words' }).click()
    await page.getByRole('menuitem', { name: 'Full screen' }).click()
    await expect.poll(() => width('Words')).toBe(window)
    await tile(page, 'Words').getByRole('button', { name: 'Leave full screen' }).click()
    await expect.poll(() => width('Words')).toBeLessThanOrEqual(window - 10)
    expect(await tile(page, 'Words').evaluate((card) => card.contains(document.activeElement))).toBe(true)
    // Outside a tile, the key has no effect.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('f')
    expect(await page.locator('[data-full]').count()).toBe(0)
  })
})
