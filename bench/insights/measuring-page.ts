import type { MeasuredTable } from './measured.ts'

/** A table with rows of a time, a name and four numbers. */
export interface TableEngine {
  /** Creates the table in an empty container of a fixed size. */
  make(container: HTMLElement, rowCount: number): void
  /** Whether the last row is on screen. */
  showsLast(container: HTMLElement, rowCount: number): boolean
}

declare global {
  interface Window {
    measureTable: (rowCount: number) => Promise<MeasuredTable>
  }
}

const frames = 90

/** Cells of a row, the same for both tables. */
export function cellsOf(row: number): string[] {
  const time = new Date(Date.UTC(2020, 0, 1) + row * 60_000).toISOString().slice(0, 19)
  return [time, `Series ${row % 40}`, ...[1, 2, 3, 4].map((column) => ((row * column) % 9973).toFixed(2))]
}

/** Exposes a table to the benchmark. */
export function offer(engine: TableEngine): void {
  window.measureTable = async (rowCount) => {
    await measure(engine, 1000)
    return measure(engine, rowCount)
  }
}

async function measure(engine: TableEngine, rowCount: number): Promise<MeasuredTable> {
  const container = document.createElement('div')
  Object.assign(container.style, { width: '1200px', height: '700px', display: 'flex' })
  document.body.append(container)
  await frame()
  await frame()
  const startMs = performance.now()
  engine.make(container, rowCount)
  for (;;) {
    await frame()
    if (container.textContent.includes('Series 1')) break
  }
  const paintMs = performance.now() - startMs
  const scroller = scrollerOf(container)
  const frameMs: number[] = []
  let last = await frame()
  for (let at = 1; at <= frames; at++) {
    scroller.scrollTop = at * 460
    const now = await frame()
    frameMs.push(now - last)
    last = now
  }
  scroller.scrollTop = scroller.scrollHeight
  for (let wait = 0; wait < 60 && !engine.showsLast(container, rowCount); wait++) await frame()
  const reachesLast = engine.showsLast(container, rowCount)
  container.remove()
  return { paintMs, frameMs, reachesLast }
}

/** Returns the element that scrolls furthest. */
function scrollerOf(container: HTMLElement): HTMLElement {
  const all = [...container.querySelectorAll<HTMLElement>('*')]
  const scrollable = (element: HTMLElement) => element.scrollHeight - element.clientHeight
  return all.reduce((best, element) => (scrollable(element) > scrollable(best) ? element : best))
}

function frame(): Promise<number> {
  return new Promise((resolve) => requestAnimationFrame(resolve))
}
