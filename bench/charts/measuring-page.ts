import type { BenchSeries, Engine } from './engine.ts'
import type { Measured } from './measured.ts'

declare global {
  interface Window {
    measure: (name: 'million' | 'composed') => Promise<Measured>
  }
}

const FRAMES = 60

/** Exposes an engine to the benchmark. */
export function offer(engine: Engine): void {
  window.measure = async (name) => {
    // Each engine draws something small before the measurement.
    await run(engine, composed(100), 2)
    return run(
      engine,
      name === 'million' ? [walk('million', 'line', false, 1_000_000, 1)] : composed(10_000),
      FRAMES,
    )
  }
}

async function run(engine: Engine, series: readonly BenchSeries[], frames: number): Promise<Measured> {
  const container = document.createElement('div')
  document.body.append(container)
  await frame()
  await frame()
  const start = performance.now()
  const chart = engine.make(container, series)
  await frame()
  await frame()
  const paintMs = performance.now() - start
  const inked = countInk(container)
  await frame()
  const { x } = series[0]!
  const [from, to] = [x[0]!, x.at(-1)!]
  const frameMs: number[] = []
  let last = await frame()
  for (let i = 0; i < frames; i++) {
    const at = from + ((to - from) / 2) * (i / frames)
    chart.pan(at, at + (to - from) / 2)
    const now = await frame()
    frameMs.push(now - last)
    last = now
  }
  const idleMs: number[] = []
  for (let i = 0; i < frames; i++) {
    const now = await frame()
    idleMs.push(now - last)
    last = now
  }
  chart.destroy()
  container.remove()
  return { paintMs, frameMs, idleMs, inked }
}

function frame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}

function countInk(container: HTMLElement): number {
  let inked = 0
  for (const canvas of container.querySelectorAll('canvas')) {
    const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d')!
    copy.drawImage(canvas, 0, 0)
    const { data } = copy.getImageData(0, 0, canvas.width, canvas.height)
    for (let i = 3; i < data.length; i += 4) if (data[i]) inked++
  }
  return inked
}

/** Three areas, four lines, bars and two scatters on two axes. */
function composed(count: number): BenchSeries[] {
  const kinds = [
    'area',
    'area',
    'area',
    'line',
    'line',
    'line',
    'line',
    'bars',
    'scatter',
    'scatter',
  ] as const
  return kinds.map((kind, i) => walk(`${kind} ${i}`, kind, i % 3 === 2, count, i + 1))
}

function walk(
  name: string,
  kind: BenchSeries['kind'],
  right: boolean,
  count: number,
  seed: number,
): BenchSeries {
  let state = seed
  let level = 20 + seed * 8
  const x = new Float64Array(count)
  const y = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    level += (state / 4_294_967_296 - 0.5) * 0.8 + (20 + seed * 8 - level) * 0.002
    x[i] = Date.UTC(2020, 0, 1) + i * 60_000
    y[i] = level
  }
  return { name, kind, right, x, y }
}
