// Goals of tables: hundreds of thousands of rows painted at once and scrolled smoothly, beside a peer.
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import { atMost, median, p95, type Figure } from './figure.ts'
import { buildPage, withChromium, withPages } from './pages.ts'
import { installPeers, peerVersion } from './peers.ts'
import { withFolder } from './with-folder.ts'
import type { MeasuredTable } from './insights/measured.ts'

const folder = fileURLToPath(new URL('./insights', import.meta.url))
const tables = ['ours', 'ag-grid'] as const
type TableName = (typeof tables)[number]
const scripts = { ours: 'table-ours.tsx', 'ag-grid': 'table-ag-grid.ts' } as const
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 7)
const rowCount = 300_000
const manyRows = 3_500_000

/** Measures in a headless Chromium, alternating between the tables. */
export default async function insightTables(): Promise<Figure[]> {
  installPeers(folder, 'ag-grid-community')
  return withFolder(async (pages) => {
    for (const table of tables)
      await buildPage({ folder, script: scripts[table], name: `table-${table}` }, pages)
    return withPages(pages, (url) => withChromium((browser) => figures(browser, url)))
  })
}

async function figures(browser: Browser, url: string): Promise<Figure[]> {
  const results: Record<TableName, MeasuredTable[]> = { ours: [], 'ag-grid': [] }
  for (let round = 0; round < rounds; round++)
    for (const table of tables) results[table].push(await measure(browser, url, table, rowCount))
  const many = await measure(browser, url, 'ours', manyRows)
  const paint = (table: TableName) => median(results[table].map(({ paintMs }) => paintMs))
  const scroll = (table: TableName) => median(results[table].map(({ frameMs }) => p95(frameMs)))
  console.log(
    tables
      .map((table) => `${table}: paint ${paint(table).toFixed(0)} ms, frames ${scroll(table).toFixed(1)} ms`)
      .join('; '),
  )
  return [
    {
      ...atMost(100, { name: 'table of 300,000 rows, first paint', value: paint('ours'), unit: 'ms' }),
      peer: `AG Grid Community ${peerVersion(folder, 'ag-grid-community')}`,
      ratio: paint('ag-grid') / paint('ours'),
    },
    atMost(20, {
      name: 'scrolling 300,000 rows, 95 % of frames within',
      value: scroll('ours'),
      unit: 'ms',
    }),
    {
      name: 'rows of 3,500,000 that can be reached by scrolling to the end',
      value: many.reachesLast ? manyRows : 0,
      unit: 'rows',
      peer: null,
      ratio: null,
      goal: 'all',
      holds: many.reachesLast,
    },
  ]
}

async function measure(
  browser: Browser,
  url: string,
  table: TableName,
  rows: number,
): Promise<MeasuredTable> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  page.on('pageerror', (error) => console.log(`${table}: ${error.message}`))
  await page.goto(`${url}table-${table}.html`)
  await page.waitForFunction('window.measureTable')
  const measured = await page.evaluate<MeasuredTable>(`window.measureTable(${rows})`)
  await page.close()
  return measured
}
