import '@fontsource-variable/inter'
import { createChart } from '@headwater/charts'
import type { Chart } from '@headwater/charts'
import { specOf } from './gallery-case.ts'
import type { GalleryCase, TileCase } from './gallery-case.ts'
import { tiles } from './table-cases.ts'

declare global {
  interface Window {
    /** The charts on the page by name, for tests and the console; set when all are drawn. */
    charts: Record<string, Chart>
    cases: Record<string, GalleryCase>
    /** Shows one case or all of them, in a given scheme or that of the system. */
    show: (only: string | null, scheme: string | null) => Promise<void>
  }
}

const modules = import.meta.glob<{ cases: Record<string, GalleryCase> }>('./cases/*.ts', { eager: true })
const cases = Object.assign({}, ...Object.values(modules).map((module) => module.cases)) as Record<
  string,
  GalleryCase
>
const fonts = ['400 12px', '500 12px', '600 15px'].map((font) =>
  document.fonts.load(`${font} "Inter Variable"`),
)

void Promise.all(fonts).then(() => {
  // `?case=` shows that case alone, `?scheme=light|dark` fixes the scheme.
  const query = new URLSearchParams(location.search)
  window.show = show
  void show(query.get('case'), query.get('scheme'))
})

async function show(only: string | null, scheme: string | null): Promise<void> {
  for (const chart of Object.values(window.charts ?? {})) chart.destroy()
  document.querySelector('main')!.replaceChildren()
  if (scheme) document.documentElement.dataset['scheme'] = scheme
  document.body.classList.toggle('single', only !== null)
  const charts: Record<string, Chart> = {}
  for (const [name, one] of Object.entries(cases))
    if (only === null || only === name) charts[name] = draw(name, one)
  const visible = Object.entries(tiles).filter(([name]) => only === null || only === name)
  // Only tiles need the shared modules; charts have no dependencies.
  if (visible.length > 0) {
    const { drawTile } = await import('./draw-tile.tsx')
    for (const [name, one] of visible) await drawTile(cardOf(name, one), one)
  }
  window.cases = cases
  window.charts = charts
}

/** Creates the card of a case. */
function cardOf(name: string, { title, size = [640, 320] }: GalleryCase | TileCase): HTMLElement {
  const figure = document.createElement('figure')
  const caption = document.createElement('figcaption')
  caption.textContent = `${name}: ${title}`
  const card = document.createElement('div')
  card.className = 'card'
  card.style.width = `${size[0]}px`
  card.style.height = `${size[1]}px`
  figure.append(caption, card)
  document.querySelector('main')!.append(figure)
  return card
}

function draw(name: string, one: GalleryCase): Chart {
  const { title, cursor, window } = one
  const chart = createChart(cardOf(name, one), specOf(one), { label: title })
  if (window) chart.zoom(...window)
  if (cursor !== undefined) chart.setCursor(cursor)
  return chart
}
