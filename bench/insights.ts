// Goals of insights: many tiles over many rows, opened cold and warm in a browser, and read by many viewers at once.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, BrowserContext, Page } from 'playwright'
import { atMost, median, type Figure } from './figure.ts'
import { withChromium } from './pages.ts'
import { makeManyTiles, tileCount, type ManyTiles } from './insights/many-tiles.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 5)
const viewerCount = 200

/** Opens one insight repeatedly in a headless Chromium, then reads it over HTTP like many concurrent viewers. */
export default async function insights(): Promise<Figure[]> {
  return withProduct(async (product, folder) => {
    const insight = await makeManyTiles(product, folder)
    return withChromium(async (browser) => [
      ...(await measureOpening(browser, product, insight.path)),
      ...(await measureViewers(product, insight)),
    ])
  })
}

interface Opening {
  firstMs: number
  allMs: number
}

async function measureOpening(browser: Browser, product: Product, path: string): Promise<Figure[]> {
  const cold: Opening[] = []
  const warm: Opening[] = []
  for (let round = 0; round < rounds; round++) {
    const context = await newContext(browser)
    const page = await context.newPage()
    const address = new URL(path, product.url)
    address.searchParams.set('refreshToken', await product.refreshToken())
    await page.goto(address.href)
    cold.push(await opening(page))
    await page.reload()
    warm.push(await opening(page))
    await context.close()
  }
  const middle = (list: Opening[], what: keyof Opening) => median(list.map((each) => each[what]))
  return [
    atMost(500, {
      name: `${tileCount} tiles, new browser, first tile`,
      value: middle(cold, 'firstMs'),
      unit: 'ms',
    }),
    atMost(2000, {
      name: `${tileCount} tiles, new browser, all tiles`,
      value: middle(cold, 'allMs'),
      unit: 'ms',
    }),
    atMost(700, {
      name: `${tileCount} tiles, opened again, all tiles`,
      value: middle(warm, 'allMs'),
      unit: 'ms',
    }),
  ]
}

/**
 * Opens a window so tall that every tile is near the viewport; pages record when tiles appear, in time since the start
 * of the visit.
 */
async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 7200 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(`
    window.opening = { firstMs: 0, allMs: 0 }
    const look = () => {
      const filled = document.querySelectorAll('[data-tile-id] canvas, [data-tile-id] [role=grid]').length
      if (filled > 0 && window.opening.firstMs === 0) window.opening.firstMs = performance.now()
      const tiles = [...document.querySelectorAll('[data-tile-id]')]
      const isThere = (tile) => tile.querySelector('canvas, [role=grid]') !== null
      if (tiles.length === ${tileCount} && tiles.every(isThere)) window.opening.allMs = performance.now()
      else requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  `)
  return context
}

/** Polls, because the policy of the page blocks the waiting functions of Playwright. */
async function opening(page: Page): Promise<Opening> {
  for (let tries = 0; tries < 600; tries++) {
    const seen = await page.evaluate<Opening>('window.opening')
    if (seen.allMs > 0) return seen
    await sleep(100)
  }
  throw new Error('The tiles did not appear within a minute.')
}

/** All viewers open the insight at the same time: its definition, then all its data in one request. */
async function measureViewers(
  product: Product,
  { definitionPath, dataPath, tileIds }: ManyTiles,
): Promise<Figure[]> {
  const alone = await timed(() => readInsight())
  let failures = 0
  const took = await Promise.all(
    Array.from({ length: viewerCount }, () =>
      timed(() =>
        readInsight().catch((error: unknown) => {
          failures += 1
          console.log(String(error).slice(0, 300))
        }),
      ),
    ),
  )
  const last = Math.max(...took)
  console.log(`one viewer ${alone.toFixed(0)} ms; the last of ${viewerCount} at once ${last.toFixed(0)} ms`)
  return [
    atMost(0, { name: `errors of ${viewerCount} viewers at once`, value: failures, unit: 'errors' }),
    {
      name: `${viewerCount} viewers at once, the last is served`,
      value: last,
      unit: 'ms',
      peer: `one viewer, ${viewerCount} times in a row`,
      ratio: (alone * viewerCount) / last,
      goal: '≥ 1 × peer',
      holds: alone * viewerCount >= last,
    },
  ]

  async function readInsight(): Promise<void> {
    await product.get(definitionPath)
    const text = String(await product.post(dataPath, { tiles: tileIds.map((id) => ({ id })) }))
    const complete = text.match(/"done":true/g)?.length ?? 0
    if (complete !== tileIds.length) throw new Error(`${complete} of ${tileIds.length} tiles returned data.`)
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
