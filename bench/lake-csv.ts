// Goals of the CSV editors: files of 20 and 240 MB open, scroll and are saved, beside papaparse in a worker.
import { createReadStream, readFileSync } from 'node:fs'
import { copyFile, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { atMost, type Figure, median, p95 } from './figure.ts'
import { buildPage, withChromium, withPages } from './pages.ts'
import { installPeers, peerVersion } from './peers.ts'
import type { Product } from './timeseries/product.ts'
import { withProduct } from './with-product.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 5)
const folder = fileURLToPath(new URL('./lake', import.meta.url))
const groupName = 'Tables'
const files = [
  { fileName: 'middle.csv', megabytes: 19.9 },
  { fileName: 'large.csv', megabytes: 240 },
] as const
type FileName = (typeof files)[number]['fileName']

/** Result of opening a file once. */
interface Opening {
  /** From the command until a cell can be edited, milliseconds. */
  openMs: number
  /** Peak increase of the resident memory of the processes of pages, in megabytes. */
  memory: number
}
interface OurOpening extends Opening {
  /** Time of each frame while the grid scrolls, milliseconds. */
  frameMs: number[]
  /** From Ctrl+S until the editor has closed, milliseconds; 0 if it is not measured. */
  saveMs: number
}

/** Opens the files in a headless Chromium, alternating with the peer. */
export default async function lakeCsv(): Promise<Figure[]> {
  installPeers(folder, 'papaparse')
  return withProduct(async (product, temporary) => {
    const pages = join(temporary, 'peer')
    await buildPeer(pages)
    await product.createGroup(groupName)
    for (const { fileName, megabytes } of files) {
      await writeCsv(join(pages, fileName), megabytes * 1e6)
      await put(product, fileName, join(pages, fileName))
    }
    return withPages(pages, async (url) =>
      figuresOf({
        editor: await measure('middle.csv', product, `${url}peer.html`),
        basic: await measure('large.csv', product, `${url}peer.html`),
      }),
    )
  })
}

async function measure(
  fileName: FileName,
  product: Product,
  peerUrl: string,
): Promise<{ ours: OurOpening[]; peer: Opening[] }> {
  const results = { ours: [] as OurOpening[], peer: [] as Opening[] }
  // Each round has its own browsers, so that the memory of one round does not count in another.
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await withPage((page) => openOurs(page, product, fileName)))
    results.peer.push(await withPage((page) => openPeer(page, peerUrl, fileName)))
  }
  return results
}

async function withPage<Result>(action: (page: Page) => Promise<Result>): Promise<Result> {
  return withChromium(async (browser) => {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
    page.on('pageerror', (error) => console.log(error.message))
    return action(page)
  })
}

async function openOurs(page: Page, product: Product, fileName: FileName): Promise<OurOpening> {
  const address = new URL(`/Lake/Groups/${groupName}`, product.url)
  address.searchParams.set('refreshToken', await product.refreshToken())
  await page.goto(address.href)
  await page.getByRole('button', { name: fileName, exact: true }).click({ button: 'right' })
  const command = page.getByRole('menuitem', { name: 'Edit', exact: true })
  await command.waitFor()
  const tool = page.getByRole('dialog', { name: fileName, exact: true })
  const opening = await watched(async () => {
    await command.click()
    await tool.getByRole('grid').getByText('row 1', { exact: true }).waitFor({ timeout: 120_000 })
  })
  const frameMs = await page.evaluate<number[]>(scroll)
  let saveMs = 0
  if (fileName === 'middle.csv') {
    await tool.getByRole('grid').getByText('row 1', { exact: true }).click()
    await page.keyboard.type('row one')
    await page.keyboard.press('Enter')
    const startMs = performance.now()
    await page.keyboard.press('Control+s')
    await tool.waitFor({ state: 'detached', timeout: 120_000 })
    saveMs = performance.now() - startMs
    await put(product, fileName, join(product.dataFolder, '..', 'peer', fileName))
  }
  return { ...opening, frameMs, saveMs }
}

async function openPeer(page: Page, url: string, fileName: FileName): Promise<Opening> {
  await page.goto(url)
  await page.waitForFunction('window.openCsv')
  return watched(() => page.evaluate(`window.openCsv('/${fileName}', ${fileName === 'middle.csv'})`))
}

/** Runs in the page: scrolls the grid up and down and returns the time of each frame. */
const scroll = `(async () => {
  const grid = document.querySelector('[role=dialog] [role=grid]')
  const all = [grid, ...grid.querySelectorAll('*')]
  const overflow = (element) => element.scrollHeight - element.clientHeight
  const scroller = all.reduce((best, element) => (overflow(element) > overflow(best) ? element : best))
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  const took = []
  let last = await frame()
  for (let at = 1; at <= 90; at++) {
    scroller.scrollTop = at * 460
    const now = await frame()
    took.push(now - last)
    last = now
  }
  scroller.scrollTop = 0
  await frame()
  return took
})()`

/** Measures time and memory of an action in the only browser of this process. */
async function watched(action: () => Promise<unknown>): Promise<Opening> {
  const before = await pagesMemory()
  let largest = before
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      largest = Math.max(largest, await pagesMemory())
      await sleep(100)
    }
  })()
  const startMs = performance.now()
  try {
    await action()
  } finally {
    isOver = true
    await watching
  }
  return { openMs: performance.now() - startMs, memory: Math.max(0, largest - before) }
}

/** Returns the resident memory of the page processes below this process, in megabytes. */
async function pagesMemory(): Promise<number> {
  const processes = new Map<number, { parent: number; command: string; megabytes: number }>()
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)) {
    const read = (name: string) => {
      try {
        return readFileSync(`/proc/${pid}/${name}`, 'utf8')
      } catch {
        return ''
      }
    }
    const status = read('status')
    processes.set(pid, {
      parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]),
      command: read('cmdline'),
      megabytes: Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1] ?? 0) / 1000,
    })
  }
  const isBelow = (pid: number): boolean => {
    const parent = processes.get(pid)?.parent
    return parent !== undefined && (parent === process.pid || (parent > 1 && isBelow(parent)))
  }
  return [...processes]
    .filter(([pid, { command }]) => command.includes('--type=renderer') && isBelow(pid))
    .reduce((sum, [, { megabytes }]) => sum + megabytes, 0)
}

interface Results {
  ours: OurOpening[]
  peer: Opening[]
}

function figuresOf({ editor, basic }: { editor: Results; basic: Results }): Figure[] {
  const grid = `papaparse ${peerVersion(folder, 'papaparse')} in a worker with AG Grid Community ${peerVersion(folder, 'ag-grid-community')}`
  const parser = `papaparse ${peerVersion(folder, 'papaparse')} in a worker`
  const middle = <Item extends Opening>(list: readonly Item[], valueOf: (item: Item) => number) =>
    median(list.map(valueOf))
  const openMs = ({ openMs: value }: Opening) => value
  const memory = ({ memory: value }: Opening) => value
  const slowest = (list: readonly OurOpening[]) => middle(list, ({ frameMs }) => p95(frameMs))
  return [
    besides(1000, 2, 'CSV of 20 MB usable in the editor', 'ms', middle(editor.ours, openMs), {
      name: grid,
      value: middle(editor.peer, openMs),
    }),
    atMost(2000, {
      name: 'CSV of 20 MB saved after a change',
      value: middle(editor.ours, ({ saveMs }) => saveMs),
      unit: 'ms',
    }),
    besides(6000, 0, 'CSV of 240 MB usable in the basic editor', 'ms', middle(basic.ours, openMs), {
      name: parser,
      value: middle(basic.peer, openMs),
    }),
    besides(500, 3, 'memory of its page while it opens', 'MB', middle(basic.ours, memory), {
      name: parser,
      value: middle(basic.peer, memory),
    }),
    atMost(20, { name: 'a frame while 20 MB scroll, p95', value: slowest(editor.ours), unit: 'ms' }),
    atMost(20, { name: 'a frame while 240 MB scroll, p95', value: slowest(basic.ours), unit: 'ms' }),
  ]
}

/** Creates a figure with a limit and a required multiple of the peer; 0 means no goal relative to the peer. */
function besides(
  limit: number,
  times: number,
  name: string,
  unit: string,
  value: number,
  peer: { name: string; value: number },
): Figure {
  const figure = atMost(limit, { name, value, unit })
  const ratio = peer.value / value
  return {
    ...figure,
    peer: peer.name,
    ratio,
    goal: times === 0 ? figure.goal : `${figure.goal}, ≥ ${times} ×`,
    holds: figure.holds && ratio >= times,
  }
}

/** Writes a table of text, numbers and quoted cells. */
async function writeCsv(path: string, bytes: number): Promise<void> {
  const file = await open(path, 'w')
  try {
    await file.write('Name,Day,Price,Volume,Note\n')
    for (let row = 1, written = 0; written < bytes;) {
      const lines: string[] = []
      for (const end = row + 10_000; row < end; row++)
        lines.push(
          `row ${row},2026-01-${String((row % 28) + 1).padStart(2, '0')},${((row * 7919) % 99_991) / 100},${(row * 31) % 7919},"note, ${row % 97}"`,
        )
      const text = `${lines.join('\n')}\n`
      written += text.length
      await file.write(text)
    }
  } finally {
    await file.close()
  }
}

async function put(product: Product, fileName: string, path: string): Promise<void> {
  const { location } = JSON.parse(
    String(await product.post('/file', { groupName, fileName, fileType: 'SOURCE', fields: [] })),
  ) as { location: string }
  const response = await fetch(location, {
    method: 'PUT',
    body: createReadStream(path),
    headers: { 'Content-Length': String((await stat(path)).size) },
    duplex: 'half',
  } as RequestInit)
  if (!response.ok) throw new Error(`The upload of ${fileName} failed: ${await response.text()}`)
}

async function buildPeer(pages: string): Promise<void> {
  const head = '<script src="/papaparse.min.js"></script>'
  await buildPage({ folder, script: 'csv-peer.ts', name: 'peer', head }, pages)
  await copyFile(join(folder, 'node_modules/papaparse/papaparse.min.js'), join(pages, 'papaparse.min.js'))
}
