// Memory of a page after half an hour of use: switching, zooming and refreshing must not leak.
import { mkdtempSync } from 'node:fs'
import { chmod, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium } from 'playwright'
import { findChromium } from '../scripts/chromium.mjs'
import { startInsightUse, type PageWeight } from '../tests/browser/insight-use.ts'
import { chromiumFlags } from './chromium-flags.ts'
import type { Figure } from './figure.ts'
import { startProduct } from './timeseries/product.ts'

const minutes = Number(process.env.HEADWATER_BENCH_MINUTES ?? 30)

/** Measures the page after a tenth of the time and at the end. */
export default async function soak(): Promise<Figure[]> {
  const executablePath = findChromium(process.env)
  if (!executablePath) throw new Error('There is no Chromium. Set HEADWATER_CHROMIUM to its path.')
  const folder = mkdtempSync(join(tmpdir(), 'headwater-bench-soak-'))
  await chmod(folder, 0o755)
  const product = await startProduct(folder, { HEADWATER_DEMO: 'on' })
  const browser = await chromium.launch({ executablePath, args: chromiumFlags })
  try {
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
  } finally {
    await browser.close()
    await product.stop()
    await rm(folder, { recursive: true, force: true })
  }
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
