// Goals of the pipeline creator: a pipeline of 500 tasks opens, moves, is edited and saved quickly, beside a plain React Flow page.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright'
import { atMost, type Figure, median, p95 } from './figure.ts'
import { buildPage, withChromium, withPages } from './pages.ts'
import { copiedTasks, newCreatorContext, saveGraph, visitCreator } from './pipelines/creator-drive.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 5)
const folder = fileURLToPath(new URL('./pipelines', import.meta.url))
const steps = 60
const full = '/Science/Creator/flows/Full/latest'
const almostFull = '/Science/Creator/flows/Almost full/latest'

/** Result of one round, in milliseconds; lists contain the time of each frame. */
interface Round {
  opened: number
  dragOne: number[]
  pan: number[]
  zoom: number[]
}
interface OurRound extends Round {
  dragMany: number[]
  paste: number
  undo: number
  save: number
}

/** Drives the creator and the peer in a headless Chromium, alternately. */
export default async function pipelinesCreator(): Promise<Figure[]> {
  return withProduct(async (product, temporary) => {
    await saveGraph(product, { Full: 500, 'Almost full': 400 })
    const pages = join(temporary, 'peer')
    await buildPage({ folder, script: 'creator-peer.tsx', name: 'peer' }, pages)
    return withPages(pages, (url) => withChromium((browser) => compare(browser, product, `${url}peer.html`)))
  })
}

async function compare(browser: Browser, product: Product, peerUrl: string): Promise<Figure[]> {
  const [ours, theirs] = [await newCreatorContext(browser), await newCreatorContext(browser)]
  // The first visits sign in and fill the caches of the browser.
  await visitCreator(ours, `${product.url}${full}?refreshToken=${await product.refreshToken()}`)
  await visitCreator(theirs, peerUrl)
  const results = { ours: [] as OurRound[], peer: [] as Round[] }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ourRound(ours, product))
    results.peer.push(await peerRound(theirs, peerUrl))
  }
  return figures(results.ours, results.peer)
}

async function round(page: Page): Promise<Omit<Round, 'opened'>> {
  await sleep(1000)
  const { took } = await page.evaluate<{ took: number[] }>(`window.bench.drag('.react-flow__node', ${steps})`)
  await sleep(1000)
  return {
    dragOne: took,
    pan: await page.evaluate(`window.bench.pan(${steps})`),
    zoom: await page.evaluate('window.bench.zoom(16)'),
  }
}

async function peerRound(context: BrowserContext, url: string): Promise<Round> {
  const { page, opened } = await visitCreator(context, url)
  const measured = await round(page)
  await page.close()
  return { opened, ...measured }
}

async function ourRound(context: BrowserContext, product: Product): Promise<OurRound> {
  const { page, opened } = await visitCreator(context, product.url + full)
  const measured = await round(page)
  const save = await page.evaluate<number>('window.bench.save()')
  await page.close()
  return { opened, ...measured, save, ...(await editRound(context, product)) }
}

/** Pastes 100 tasks into a pipeline of 400, drags them, and undoes the paste. */
async function editRound(context: BrowserContext, product: Product) {
  const { page } = await visitCreator(context, product.url + almostFull)
  await sleep(1000)
  // The drag that ended the visit is undone first.
  await page.evaluate('window.bench.undo()')
  const paste = await page.evaluate<number>(`window.bench.paste(${JSON.stringify(copiedTasks())})`)
  await sleep(500)
  const { took } = await page.evaluate<{ took: number[] }>(
    `window.bench.drag('.react-flow__node.selected', ${steps})`,
  )
  await sleep(1000)
  const undo = await page.evaluate<number>('window.bench.undo()')
  await page.evaluate('window.bench.redo()')
  const stored = async () =>
    (
      JSON.parse(String(await product.get('/mgmt/pipeline/name?groupName=flows&name=Almost%20full'))) as {
        batchConfig: { tasks: unknown[] }
      }
    ).batchConfig.tasks.length
  if ((await stored()) !== 400) throw new Error('The pipeline for the paste does not have 400 tasks.')
  await page.close()
  return { paste, dragMany: took, undo }
}

function figures(ours: OurRound[], peer: Round[]): Figure[] {
  const name = `@xyflow/react ${peerVersion()}, a plain page with the same nodes and links`
  const beside = (limit: number, what: string, value: number, other: number): Figure => ({
    ...atMost(limit, { name: what, value, unit: 'ms' }),
    peer: name,
    ratio: other / value,
  })
  const p95Of = (list: readonly Round[], what: 'dragOne' | 'pan' | 'zoom') =>
    median(list.map((each) => p95(each[what])))
  const opened = (list: readonly Round[]) => median(list.map((each) => each.opened))
  const middle = (what: 'paste' | 'undo' | 'save') => median(ours.map((each) => each[what]))
  return [
    beside(
      1500,
      '500 tasks, 732 links: from the address until a node follows the mouse',
      opened(ours),
      opened(peer),
    ),
    beside(33, 'a frame while one task is dragged, p95', p95Of(ours, 'dragOne'), p95Of(peer, 'dragOne')),
    atMost(33, {
      name: 'a frame while 100 of 500 tasks are dragged, p95',
      value: median(ours.map(({ dragMany }) => p95(dragMany))),
      unit: 'ms',
    }),
    beside(33, 'a frame while the canvas moves, p95', p95Of(ours, 'pan'), p95Of(peer, 'pan')),
    beside(33, 'a frame while the canvas zooms, p95', p95Of(ours, 'zoom'), p95Of(peer, 'zoom')),
    atMost(200, { name: '100 tasks pasted beside 400', value: middle('paste'), unit: 'ms' }),
    atMost(100, { name: 'undo of the paste', value: middle('undo'), unit: 'ms' }),
    atMost(300, { name: '500 tasks saved', value: middle('save'), unit: 'ms' }),
  ]
}

function peerVersion(): string {
  const { version } = createRequire(import.meta.url)('@xyflow/react/package.json') as { version: string }
  return version
}
