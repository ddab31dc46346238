import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright'
import { beforeAll, describe, expect, test } from 'vitest'
import { getInsight } from '@headwater/insights/contract'
import type { Session } from '@headwater/server/testing'
import { openAs } from './open-browser.ts'
import { setUpPrices } from './set-up-prices.ts'

const {
  stage,
  longGroup,
  minuteCount,
  series,
  makeInsight,
  open,
  edit,
  tile,
  tab,
  field,
  stored,
  choose,
  line,
  entry,
  ...users
} = setUpPrices()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('IN-112 IN-164 IN-165 IN-168 the menu offers advanced, seasonality and quick charts, stored as composed or seasonality', async () => {
  await makeInsight('Kinds', [{ id: 'x', title: 'Words', type: 'Text' }])
  const page = await open('Kinds')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const add = page.getByRole('button', { name: 'Add tile' })
  await add.click()
  // The code of a menu can arrive after the click.
  await expect
    .poll(async () =>
      (await page.getByRole('menuitem').allTextContents()).filter((name) => name.includes('chart')),
    )
    .toEqual(['Advanced chart', 'Seasonality chart', 'Quick chart'])
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
  await tile(page, 'Chart').getByText('last 500 values', { exact: true }).waitFor()
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

test('an added series of another size gets the right axis', async () => {
  await series('Gas', 'Code,Date,Traded\nPEG,2026-03-02,7000000\nPEG,2026-03-03,8000000')
  await makeInsight('Sizes', [{ id: 'c', title: 'Chart', type: 'Chart', series: [line('Brent')] }], {
    c: { symbols: [entry(longGroup, 'Brent', 'EU')] },
  })
  const page = await edit('Sizes', 'Chart')
  await page.getByRole('button', { name: 'Add series' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: /^Gas/ }).click()
  await picker.getByRole('button', { name: 'PEG, Traded' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  const legend = tile(page, 'Chart').locator('button[aria-pressed]')
  await expect.poll(() => legend.allTextContents()).toEqual(['Brent', 'PEG, right'])
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
  await page.getByText('A logarithmic axis must start above 0.').waitFor()
  await field(page, 'Left minimum').fill('0.5')
  await field(page, 'Left maximum').fill('5000')
  await field(page, 'Left custom unit').fill('m³ a day')
  await expect.poll(() => field(page, 'Left unit').inputValue()).toBe('m³ a day')
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

  await tile(page, 'Chart').getByRole('button', { name: 'Actions for Chart' }).click()
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
  await expect.poll(() => field(page, 'Title size').inputValue()).toBe('Standard')
  expect(await choose(field(page, 'Title size'), 'Huge')).toEqual(['Small', 'Standard', 'Big', 'Huge'])
  await expect.poll(() => field(page, 'Legend size').inputValue()).toBe('Standard')
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
  await expect.poll(() => field(page, 'Width').inputValue()).toBe('100%')
  expect(await choose(field(page, 'Width'), '50%')).toEqual(['100%', '50%'])
  await expect.poll(() => field(page, 'Height').inputValue()).toBe('50%')
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
  await expect.poll(() => field(page, 'Line').inputValue()).toBe('Solid')
  expect(await choose(field(page, 'Line'), 'Dashed')).toEqual(['Solid', 'Dashed'])
  await choose(field(page, 'Colour'), 'Purple')
  await choose(field(page, 'Moving average'), '5 values')
  await expect.poll(() => field(page, 'Duplicate dates').inputValue()).toBe('Sum')
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
    // Only the download fails: without the regular refresh of its data, the tile would have no download.
    await page.route('**/insight/*/data', (route) =>
      route.request().postData()?.includes('"undrawn":true') === true ? route.abort() : route.continue(),
    )
    for (const form of ['Save as CSV', 'Save as XLSX']) {
      await tile(page, 'Load').getByRole('button', { name: 'Actions for Load' }).click()
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
      await tile(page, 'Load').getByRole('button', { name: 'Actions for Load' }).click()
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
      await expect.poll(() => live(page, 'Load').textContent()).toContain(`01 Jan 2026 ${time}: `)
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

    // The saved insight loads its data again, and each chart is drawn separately.
    await plot(page, 'Fuel').waitFor()
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

    await tile(page, 'Words').getByRole('button', { name: 'Actions for Words' }).click()
    await page.getByRole('menuitem', { name: 'Full screen' }).click()
    await expect.poll(() => width('Words')).toBe(window)
    await tile(page, 'Words').getByRole('button', { name: 'Leave full screen' }).click()
    await expect.poll(() => width('Words')).toBeLessThanOrEqual(window - 10)
    await expect
      .poll(() => tile(page, 'Words').evaluate((card) => card.contains(document.activeElement)))
      .toBe(true)
    // Outside a tile, the key has no effect.
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('f')
    await expect.poll(() => page.locator('[data-full]').count()).toBe(0)
  })
})
