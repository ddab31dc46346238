// Goals of the chart engine: a million points and a dense chart of many series, side by side with its peers.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import type { Browser } from 'playwright'
import { build } from 'vite'
import { findChromium } from '../scripts/chromium.mjs'
import { chromiumFlags } from './chromium-flags.ts'
import type { Measured } from './charts/measured.ts'
import { atMost, median, p95 } from './figure.ts'
import type { Figure } from './figure.ts'
import { installPeers, peerVersion } from './peers.ts'

const folder = fileURLToPath(new URL('./charts', import.meta.url))
const engines = ['ours', 'grafana', 'echarts'] as const
type EngineName = (typeof engines)[number]
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 7)

/** Measures in a headless Chromium with software rendering, alternating between the engines. */
export default async function charts(): Promise<Figure[]> {
  const executablePath = findChromium(process.env)
  if (!executablePath) throw new Error('There is no Chromium. Set HEADWATER_CHROMIUM to its path.')
  // The peers have half a gigabyte.
  installPeers(folder, '@grafana/ui')
  const pages = await mkdtemp(join(tmpdir(), 'headwater-bench-charts-'))
  const server = createServer((request, response) => void respond(pages, request.url ?? '/', response))
  try {
    for (const engine of engines) await buildPage(engine, pages)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const browser = await chromium.launch({ executablePath, args: chromiumFlags })
    try {
      return figuresOf(await measure(browser, url, 'million'), await measure(browser, url, 'composed'))
    } finally {
      await browser.close()
    }
  } finally {
    server.close()
    await rm(pages, { recursive: true, force: true })
  }
}

type Results = Record<EngineName, Measured[]>

async function measure(browser: Browser, url: string, name: 'million' | 'composed'): Promise<Results> {
  const results: Results = { ours: [], grafana: [], echarts: [] }
  for (let round = 0; round < rounds; round++) {
    for (const engine of engines) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      page.on('pageerror', (error) => console.log(`${engine}: ${error.message}`))
      await page.goto(`${url}/engine-${engine}.html`)
      await page.waitForFunction('window.measure')
      const measured = await page.evaluate<Measured>(`window.measure('${name}')`)
      if (measured.inked < 1000) throw new Error(`${engine} drew nothing of "${name}".`)
      results[engine].push(measured)
      await page.close()
    }
  }
  for (const engine of engines) {
    const paint = median(results[engine].map(({ paintMs }) => paintMs))
    const moving = medianP95(results[engine].map(({ frameMs }) => frameMs)).toFixed(1)
    const idle = medianP95(results[engine].map(({ idleMs }) => idleMs)).toFixed(1)
    console.log(
      `${name} ${engine}: paint ${paint.toFixed(0)} ms, frame p95 ${moving} ms, of an idle page ${idle} ms`,
    )
  }
  return results
}

function figuresOf(million: Results, composed: Results): Figure[] {
  return [
    paint('1 series of 1,000,000 points, first paint', million, 'grafana', 2),
    paint('1 series of 1,000,000 points, first paint', million, 'echarts', 2),
    paint('10 series of 10,000 points of four kinds on two axes, first paint', composed, 'grafana', 2),
    atMost(20, {
      name: 'moving a window over 1,000,000 points, 95 % of frames within',
      value: medianP95(million.ours.map(({ frameMs }) => frameMs)),
      unit: 'ms',
    }),
  ]
}

function paint(name: string, results: Results, against: 'grafana' | 'echarts', times: number): Figure {
  const value = median(results.ours.map(({ paintMs }) => paintMs))
  const theirs = median(results[against].map(({ paintMs }) => paintMs))
  const ratio = theirs / value
  return {
    name,
    value,
    unit: 'ms',
    peer: peerName(against),
    ratio,
    goal: `≥ ${times} × peer`,
    holds: ratio >= times,
  }
}

/** Returns the median over the rounds of the 95th percentile of frame times. */
function medianP95(roundsOfFrames: readonly (readonly number[])[]): number {
  return median(roundsOfFrames.map(p95))
}

function peerName(peer: 'grafana' | 'echarts'): string {
  return peer === 'grafana'
    ? `@grafana/ui TimeSeries ${peerVersion(folder, '@grafana/ui')}`
    : `ECharts ${peerVersion(folder, 'echarts')} (lttb, large)`
}

/** Builds one page per engine, as its users would build it. */
async function buildPage(engine: EngineName, pages: string): Promise<void> {
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
        input: `engine-${engine}.ts`,
        output: { entryFileNames: '[name].js', chunkFileNames: `${engine}-[hash].js` },
      },
    },
  })
  const html = `<!doctype html><meta charset="utf-8"><body style="margin:0"><script type="module" src="/engine-${engine}.js"></script>`
  await writeFile(join(pages, `engine-${engine}.html`), html)
}

const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

async function respond(pages: string, url: string, response: ServerResponse): Promise<void> {
  try {
    const path = new URL(url, 'http://localhost').pathname
    const body = await readFile(join(pages, path))
    response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' }).end(body)
  } catch {
    response.writeHead(404).end()
  }
}
