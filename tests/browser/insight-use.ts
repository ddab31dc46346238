import type { CDPSession, Page } from 'playwright'

/** Memory of a page after garbage collection. */
export interface PageWeight {
  heapBytes: number
  nodes: number
  listeners: number
}

/** Typical use of a page: switching insights, zooming, opening panels, going back. */
export interface InsightUse {
  /** Visits both insights once. */
  round(): Promise<void>
  /** Returns the memory while the list of insights is open. */
  weigh(): Promise<PageWeight>
}

/** Alternates between two insights, opened from the list without reloading the page. */
export async function startInsightUse(page: Page, names: readonly [string, string]): Promise<InsightUse> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  async function openList() {
    await page.getByRole('link', { name: 'Insight', exact: true }).first().click()
    // the sidebar would open under the pointer and cover the list
    await page.mouse.move(1000, 700)
    for (const name of names) await page.getByRole('link', { name, exact: true }).waitFor()
  }
  return {
    async round() {
      for (const name of names) {
        await openList()
        await page.getByRole('link', { name, exact: true }).click()
        const canvas = page.locator('[data-tile-id] canvas').first()
        await canvas.waitFor()
        await zoom(page, await canvas.boundingBox())
        await page.keyboard.press('Control+k')
        await page.getByRole('searchbox').or(page.getByRole('combobox')).first().waitFor()
        await page.keyboard.press('Escape')
      }
    },
    async weigh() {
      // The list has the same content each time, while an insight can still be loading.
      await openList()
      return weigh(session)
    },
  }
}

async function zoom(page: Page, box: { x: number; y: number; width: number; height: number } | null) {
  if (box === null) return
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width * 0.3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 })
  await page.mouse.up()
  await page.mouse.dblclick(box.x + box.width * 0.5, y)
}

async function weigh(session: CDPSession): Promise<PageWeight> {
  for (let times = 0; times < 3; times++) await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  const valueOf = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
  return {
    heapBytes: valueOf('JSHeapUsedSize'),
    nodes: valueOf('Nodes'),
    listeners: valueOf('JSEventListeners'),
  }
}
