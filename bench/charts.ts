// Goals of the chart engine: a million points and a dense chart of many series, side by side with its peers.
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright'
import type { Measured } from './charts/measured.ts'
import { atMost, median, p95 } from './figure.ts'
import type { Figure } from './figure.ts'
import { buildPage, withChromium, withPages } from './pages.ts'
import { installPeers, peerVersion } from './peers.ts'
import { withFolder } from './with-folder.ts'

const folder = fileURLToPath(new URL('./charts', import.meta.url))
const engines = ['ours', 'grafana', 'echarts'] as const
type EngineName = (typeof engines)[number]
const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 7)

/** Measures in a headless Chromium with software rendering, alternating between the engines. */
export default async function charts(): Promise<Figure[]> {
  // The peers take half a gigabyte of disk.
  installPeers(folder, '@grafana/ui')
  return withFolder(async (pages) => {
    for (const engine of engines)
      await buildPage({ folder, script: `engine-${engine}.ts`, name: `engine-${engine}` }, pages)
    return withPages(pages, (url) =>
      withChromium(async (browser) =>
        figuresOf(await measure(browser, url, 'million'), await measure(browser, url, 'composed')),
      ),
    )
  })
}

type Results = Record<EngineName, Measured[]>

async function measure(browser: Browser, url: string, name: 'million' | 'composed'): Promise<Results> {
  const results: Results = { ours: [], grafana: [], echarts: [] }
  for (let round = 0; round < rounds; round++) {
    for (const engine of engines) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
      page.on('pageerror', (error) => console.log(`${engine}: ${error.message}`))
      await page.goto(`${url}engine-${engine}.html`)
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
