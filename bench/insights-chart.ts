// Goals of a chart over a long series: a complete drawing, and the points of a window after a zoom.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { atMost, median, type Figure } from './figure.ts'
import { withChromium } from './pages.ts'
import { minuteMs, symbolName, writeSeriesFile } from './timeseries/series-data.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 5)
const scale = Number(process.env.HEADWATER_BENCH_SCALE ?? 1)
const pointCount = Math.max(20_000, Math.round(1_000_000 * scale))
const groupName = 'minutely'

/** Opens an insight of one chart over a long series in a headless Chromium, and zooms in. */
export default async function insightChart(): Promise<Figure[]> {
  return withProduct(async (product, folder) => {
    await makeChart(product, folder)
    return withChromium((browser) => measure(browser, product))
  })
}

async function makeChart(product: Product, folder: string): Promise<void> {
  await product.createGroup(groupName)
  await product.createGroup('reports')
  const path = join(folder, 'series.ncsv')
  const shape = {
    prefix: 'C',
    firstSymbol: 0,
    symbolCount: 1,
    pointCount,
    columns: ['Price'],
    stepMs: minuteMs,
  }
  await writeSeriesFile(path, shape)
  await product.upload(groupName, path)
  const symbols = { Code: symbolName('C', 0) }
  const series = { label: 'Price', groupName, symbolList: [symbols], column: 'Price', chartType: 'line' }
  const tile = { id: 'c', title: 'Chart', type: 'Chart', tileHeight: 'full', range: 'ALL', series: [series] }
  const datapreps = { c: { symbols: [{ groupName, symbols, valueColumnNames: ['Price'] }] } }
  await product.post('/insights', {
    insightName: 'Long',
    groupName: 'reports',
    content: { type: 'VISUALISATION', tiles: [tile], datapreps },
  })
}

async function measure(browser: Browser, product: Product): Promise<Figure[]> {
  const firstMs: number[] = []
  const zoomMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    const address = new URL('/Insight/reports/Long', product.url)
    address.searchParams.set('refreshToken', await product.refreshToken())
    await page.goto(address.href)
    firstMs.push(await seen(page, '/points, .* drawn/.test(document.body.innerText)'))
    await page.locator('[role=application]').focus()
    await page.keyboard.press('Home')
    for (let step = 0; step < Math.ceil(Math.log2(pointCount / 500)); step++) await page.keyboard.press('+')
    const zoomedAt = await page.evaluate<number>('performance.now()')
    zoomMs.push((await seen(page, '!/points, .* drawn/.test(document.body.innerText)')) - zoomedAt)
    await context.close()
  }
  const name = `chart of ${pointCount.toLocaleString('en-US')} points`
  return [
    atMost(1500, { name: `${name} in a new browser, drawn as a whole`, value: median(firstMs), unit: 'ms' }),
    atMost(700, { name: `${name}, zoomed to 500 of them, all drawn`, value: median(zoomMs), unit: 'ms' }),
  ]
}

/** Returns when a condition of the page was met, in milliseconds since the start of the visit. */
async function seen(page: Page, condition: string): Promise<number> {
  for (let tries = 0; tries < 3000; tries++) {
    const at = await page.evaluate<number>(`${condition} ? performance.now() : 0`)
    if (at > 0) return at
    await sleep(10)
  }
  throw new Error('The chart did not appear within 30 s.')
}
