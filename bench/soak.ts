// Memory of a page after half an hour of use: switching, zooming and refreshing must not leak.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright'
import { startInsightUse, type PageWeight } from '../tests/browser/insight-use.ts'
import type { Figure } from './figure.ts'
import { withChromium } from './pages.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const minutes = Number(process.env.HEADWATER_BENCH_MINUTES ?? 30)

/** Measures the page after a tenth of the time and at the end. */
export default async function soak(): Promise<Figure[]> {
  return withProduct((product) => withChromium((browser) => measure(browser, product)), {
    HEADWATER_DEMO: 'on',
  })
}

async function measure(browser: Browser, product: Product): Promise<Figure[]> {
  const names = ['Electricity, weather, markets and air', 'One stock at a time'] as const
  while (!String(await product.get('/insights')).includes(names[0])) await sleep(500)
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.goto(`${product.url}/Insight?refreshToken=${await product.refreshToken()}`)
  const use = await startInsightUse(page, names)
  const endMs = Date.now() + minutes * 60_000
  const weighMs = Date.now() + minutes * 6_000
  let before: PageWeight | undefined
  let rounds = 0
  while (Date.now() < endMs) {
    await use.round()
    rounds += 1
    if (before === undefined && Date.now() >= weighMs) before = await use.weigh()
  }
  const after = await use.weigh()
  console.log(`${rounds} rounds in ${minutes} minutes`)
  return [
    grown('heap', before!.heapBytes, after.heapBytes, 1.3),
    grown('DOM nodes', before!.nodes, after.nodes, 1.1),
    grown('listeners', before!.listeners, after.listeners, 1.1),
  ]
}

function grown(what: string, before: number, after: number, most: number): Figure {
  return {
    name: `${what} after ${minutes} minutes, against the first tenth of them`,
    value: after / before,
    unit: 'times',
    peer: null,
    ratio: null,
    goal: `≤ ${most} times`,
    holds: after <= before * most,
  }
}
