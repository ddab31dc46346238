// The pipeline creator during a long session: growth of the page after many edits, and frames while the statuses of a run change.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright'
import { atMost, type Figure, p95 } from './figure.ts'
import { withChromium } from './pages.ts'
import { objectBytes } from './pipelines/heap-objects.ts'
import { copiedTasks, newCreatorContext, saveGraph, visitCreator } from './pipelines/creator-drive.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

/** Edits before the first measurement: more than undo can reverse. */
const firstEdits = Number(process.env.HEADWATER_BENCH_EDITS ?? 120)
const dragFrames = 40
const metrics = ['JSHeapUsedSize', 'JSEventListeners', 'Nodes'] as const
const grown = ['objects', ...metrics] as const

/** Sizes of the page. The used heap includes code, which V8 compiles for each function that is called often enough; `objects` does not. */
type Size = Record<(typeof grown)[number], number>

/** Measures in a headless Chromium. */
export default async function creatorEdits(): Promise<Figure[]> {
  return withProduct(async (product) => {
    await saveGraph(product, { 'Almost full': 400 })
    const liveId = await saveLive(product)
    return withChromium(async (browser) => [
      ...(await growth(browser, product)),
      ...(await liveRun(browser, product, liveId)),
    ])
  })
}

/** Pastes, drags, undoes and redoes; twice as many edits again must not make the page larger. */
async function growth(browser: Browser, product: Product): Promise<Figure[]> {
  const context = await newCreatorContext(browser)
  const { page } = await visitCreator(context, await addressOf(product, 'Almost full'))
  const session = await context.newCDPSession(page)
  await session.send('Performance.enable')
  await edit(page, firstEdits)
  const before = await sizeOf(session)
  await edit(page, 2 * firstEdits)
  const after = await sizeOf(session)
  console.log({ before, after })
  await context.close()
  return grown.map((what) =>
    atMost(5, {
      name: `${3 * firstEdits} edits of 500 tasks: growth of ${what} over the last ${2 * firstEdits}`,
      value: Math.max(0, 100 * (after[what] / before[what] - 1)),
      unit: '%',
    }),
  )
}

async function edit(page: Page, count: number): Promise<void> {
  const text = JSON.stringify(copiedTasks())
  for (let number = 0; number < count; number++) {
    await page.evaluate(`window.bench.paste(${text})`)
    await page.evaluate(`window.bench.drag('.react-flow__node.selected', 4)`)
    await page.evaluate('window.bench.undo()')
    await page.evaluate('window.bench.redo()')
    // The drag, then the paste.
    for (let steps = 0; steps < 2; steps++) await page.evaluate('window.bench.undo()')
  }
}

async function sizeOf(session: CDPSession): Promise<Size> {
  for (let times = 0; times < 3; times++) {
    await session.send('HeapProfiler.collectGarbage')
    await sleep(500)
  }
  const measured = (await session.send('Performance.getMetrics')).metrics
  const valueOf = (what: string) => measured.find(({ name }) => name === what)!.value
  const values = Object.fromEntries(metrics.map((what) => [what, valueOf(what)])) as Omit<Size, 'objects'>
  return { objects: await objectBytes(session), ...values }
}

/** Drags a task while a run of 500 steps that do nothing changes their statuses. */
async function liveRun(browser: Browser, product: Product, pipelineId: string): Promise<Figure[]> {
  const context = await newCreatorContext(browser)
  const { page } = await visitCreator(context, await addressOf(product, 'Live'))
  await page.evaluate('window.bench.undo()')
  const startedMs = performance.now()
  let endedMs: number | undefined
  const run = product.post(`/mgmt/pipeline/${pipelineId}/execute`, { waitSeconds: 60 }).then(() => {
    endedMs = performance.now()
  })
  const took: number[] = []
  while (endedMs === undefined) {
    const dragged = await page.evaluate<{ took: number[] }>(
      `window.bench.drag('.react-flow__node', ${dragFrames})`,
    )
    took.push(...dragged.took)
  }
  await run
  await page.locator('header').getByRole('button', { name: 'Run', exact: true }).waitFor()
  const visibleMs = performance.now() - endedMs
  const rate = Math.round(1000 / ((endedMs - startedMs) / 1000))
  await context.close()
  return [
    atMost(33, {
      name: `a frame while a task is dragged and ${rate} statuses change per second, p95`,
      value: p95(took),
      unit: 'ms',
    }),
    atMost(1000, {
      name: 'end of this run until it is visible, after the drag',
      value: visibleMs,
      unit: 'ms',
    }),
  ]
}

/** Stores a pipeline of 500 steps that do nothing, in ten sequences. */
async function saveLive(product: Product): Promise<string> {
  const [sequences, length] = [10, 50]
  const steps = Array.from({ length: sequences * length }, (_, at) => ({
    id: `s${at}`,
    row: at % sequences,
    column: Math.floor(at / sequences),
  }))
  const saved = await product.post('/mgmt/pipeline', {
    name: 'Live',
    groupName: 'flows',
    payload: JSON.stringify({
      positions: Object.fromEntries(
        steps.map(({ id, row, column }) => [id, { x: column * 320, y: row * 192 }]),
      ),
    }),
    tasks: steps.map(({ id, column }, at) => ({
      id,
      taskName: 'cron-trigger',
      taskReadableName: id,
      taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
      prevTasks: column === 0 ? [] : [{ id: `s${at - sequences}` }],
    })),
  })
  return (JSON.parse(String(saved)) as { pipeline: { id: string } }).pipeline.id
}

async function addressOf(product: Product, name: string): Promise<string> {
  const token = await product.refreshToken()
  return `${product.url}/Science/Creator/flows/${encodeURIComponent(name)}/latest?refreshToken=${token}`
}
