// Goals of tables: hundreds of thousands of rows painted at once and scrolled smoothly, beside a peer.
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Browser } from 'playwright'
import { build, preview } from 'vite'
import { findChromium } from '../scripts/chromium.mjs'
import { chromiumFlags } from './chromium-flags.ts'
import { atMost, median, p95, type Figure } from './figure.ts'
import { installPeers, peerVersion } from './peers.ts'
import type { MeasuredTable } from './insights/measured.ts'

const folder = fileURLToPath(new URL('./insights', import.meta.url))
const tables = ['ours', 'ag-grid'] as const
type TableName = (typeof tables)[number]
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 7)
const rowCount = 300_000
const manyRows = 3_500_000

/** Measures in a headless Chromium, alternating between the tables. */
export default async function insightTables(): Promise<Figure[]> {
  const executablePath = findChromium(process.env)
  if (!executablePath) throw new Error('There is no Chromium. Set HEADWATER_CHROMIUM to its path.')
  installPeers(folder, 'ag-grid-community')
  const pages = await mkdtemp(join(tmpdir(), 'headwater-bench-tables-'))
  try {
    for (const table of tables) await buildPage(table, pages)
    const server = await preview({
      root: pages,
      configFile: false,
      logLevel: 'error',
      build: { outDir: pages },
      preview: { port: 0, host: '127.0.0.1' },
    })
    const browser = await chromium.launch({ executablePath, args: chromiumFlags })
    try {
      return await figures(browser, server.resolvedUrls!.local[0]!)
    } finally {
      await browser.close()
      await server.close()
    }
  } finally {
    await rm(pages, { recursive: true, force: true })
  }
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

/** Builds one page per table, as its users would build it. */
async function buildPage(table: TableName, pages: string): Promise<void> {
  const script = table === 'ours' ? 'table-ours.tsx' : 'table-ag-grid.ts'
  await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir: pages,
      emptyOutDir: false,
      modulePreload: false,
      rolldownOptions: {
        input: script,
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: `${table}-[hash].js`,
          assetFileNames: `table-${table}[extname]`,
        },
      },
    },
  })
  const style = existsSync(join(pages, `table-${table}.css`))
    ? `<link rel="stylesheet" href="/table-${table}.css">`
    : ''
  const html = `<!doctype html><meta charset="utf-8">${style}<body style="margin:0"><script type="module" src="/table-${table}.js"></script>`
  await writeFile(join(pages, `table-${table}.html`), html)
}
