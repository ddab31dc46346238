// Goals of the pipeline creator: a pipeline of 500 tasks opens, moves, is edited and saved quickly, beside a plain React Flow page.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright'
import { atMost, type Figure, median, p95 } from './figure.ts'
import { graphTasks, inputNames } from './pipelines/creator-graph.ts'
import { buildPage, withChromium, withPages } from './pages.ts'
import { pageScript } from './pipelines/creator-page.ts'
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
    await savePipelines(product)
    const pages = join(temporary, 'peer')
    await buildPage({ folder, script: 'creator-peer.tsx', name: 'peer' }, pages)
    return withPages(pages, (url) => withChromium((browser) => compare(browser, product, `${url}peer.html`)))
  })
}

async function compare(browser: Browser, product: Product, peerUrl: string): Promise<Figure[]> {
  const [ours, theirs] = [await newContext(browser), await newContext(browser)]
  // The first visits sign in and fill the caches of the browser.
  await visit(ours, `${product.url}${full}?refreshToken=${await product.refreshToken()}`)
  await visit(theirs, peerUrl)
  const results = { ours: [] as OurRound[], peer: [] as Round[] }
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await ourRound(ours, product))
    results.peer.push(await peerRound(theirs, peerUrl))
  }
  return figures(results.ours, results.peer)
}

async function savePipelines(product: Product): Promise<void> {
  for (const group of ['flows', 'scripts']) await product.createGroup(group)
  const params = [
    { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
    { name: 'Out', type: 'OUTPUT', valueType: 'TEXT' },
    ...inputNames.map((name) => ({ name, defaultValue: 'x' })),
  ]
  const task = {
    name: 'take',
    groupName: 'scripts',
    readableName: 'Takes',
    definitionName: 'python-runner',
    params,
  }
  await product.post('/mgmt/task', task)
  for (const [name, count] of [
    ['Full', 500],
    ['Almost full', 400],
  ] as const)
    await product.post('/mgmt/pipeline', {
      name,
      groupName: 'flows',
      payload: JSON.stringify({
        positions: Object.fromEntries(graphTasks(count).map(({ id, position }) => [id, position])),
      }),
      tasks: graphTasks(count).map(({ id, label, from, after }) => ({
        id,
        taskName: 'take',
        taskGroup: 'scripts',
        taskReadableName: label,
        taskOverrides: {
          params: [
            { name: 'Out', type: 'OUTPUT', value: referenceOf(id) },
            ...(from === undefined ? [] : [{ name: 'In', value: referenceOf(from) }]),
          ],
        },
        prevTasks: after.map((each) => ({ id: each })),
      })),
    })
}

function referenceOf(id: string): string {
  return `\${00000000-0000-4000-8000-${id.slice(1).padStart(12, '0')}}`
}

async function newContext(browser: { newContext: (options: object) => Promise<BrowserContext> }) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
  })
  await context.addInitScript(pageScript)
  return context
}

/** Opens an address and waits until a node follows the mouse. */
async function visit(context: BrowserContext, url: string): Promise<{ page: Page; opened: number }> {
  const page = await context.newPage()
  page.on('pageerror', (error) => console.log(error.message))
  page.on('console', (message) => {
    if (message.text().startsWith('first node')) console.log(`${url.slice(-20)}: ${message.text()} ms`)
  })
  await page.goto(url)
  for (let tries = 0; tries < 600; tries++) {
    const opened = await page.evaluate<number>('window.bench.opened')
    if (opened > 0) return { page, opened }
    await sleep(100)
  }
  throw new Error('No node followed the mouse within a minute.')
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
  const { page, opened } = await visit(context, url)
  const measured = await round(page)
  await page.close()
  return { opened, ...measured }
}

async function ourRound(context: BrowserContext, product: Product): Promise<OurRound> {
  const { page, opened } = await visit(context, product.url + full)
  const measured = await round(page)
  const save = await page.evaluate<number>('window.bench.save()')
  await page.close()
  return { opened, ...measured, save, ...(await editRound(context, product)) }
}

/** Pastes 100 tasks into a pipeline of 400, drags them, and undoes the paste. */
async function editRound(context: BrowserContext, product: Product) {
  const { page } = await visit(context, product.url + almostFull)
  await sleep(1000)
  // The drag that ended the visit is undone first.
  await page.evaluate('window.bench.undo()')
  const paste = await page.evaluate<number>(`window.bench.paste(${JSON.stringify(copied())})`)
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

/** Returns 100 tasks with their links in the clipboard format of the creator. */
function copied(): string {
  const tasks = graphTasks(100)
  const ids = new Set(tasks.map(({ id }) => id))
  const nodes = tasks.map(({ id, label, position }) => ({
    id,
    label,
    position,
    data: {
      taskName: 'take',
      taskGroup: 'scripts',
      taskVersion: null,
      taskCategory: '',
      taskOverrides: { params: [] },
      isPaused: false,
    },
  }))
  const links = tasks.flatMap(({ id, from }) =>
    from !== undefined && ids.has(from)
      ? [{ id: `${from} ${id}`, from: { node: from, port: 'Out' }, to: { node: id, port: 'In' } }]
      : [],
  )
  return JSON.stringify({ canvas: 'headwater-pipeline', nodes, links, comments: [] })
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
