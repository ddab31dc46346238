import '@fontsource-variable/inter'
import { createChart } from '@headwater/charts'
import type { Chart } from '@headwater/charts'
import type { GalleryCase } from './gallery-case.ts'

declare global {
  interface Window {
    /** The charts on the page by name, for the tests and for the console; set when all are drawn. */
    charts: Record<string, Chart>
    cases: Record<string, GalleryCase>
  }
}

/** `?case=` shows that case alone, `?scheme=light|dark` fixes the scheme. Without them: all, as the system wants. */
const query = new URLSearchParams(location.search)
const modules = import.meta.glob<{ cases: Record<string, GalleryCase> }>('./cases/*.ts', { eager: true })
const cases = Object.assign({}, ...Object.values(modules).map((module) => module.cases)) as Record<
  string,
  GalleryCase
>

void show()

async function show(): Promise<void> {
  const scheme = query.get('scheme')
  if (scheme) document.documentElement.dataset['scheme'] = scheme
  await Promise.all(
    ['400 12px', '500 12px', '600 15px'].map((font) => document.fonts.load(`${font} "Inter Variable"`)),
  )
  const only = query.get('case')
  document.body.classList.toggle('single', only !== null)
  const charts: Record<string, Chart> = {}
  for (const [name, one] of Object.entries(cases))
    if (only === null || only === name) charts[name] = draw(name, one)
  window.cases = cases
  window.charts = charts
}

function draw(name: string, { title, spec, size = [640, 320], cursor, window }: GalleryCase): Chart {
  const figure = document.createElement('figure')
  const caption = document.createElement('figcaption')
  caption.textContent = `${name}: ${title}`
  const card = document.createElement('div')
  card.className = 'card'
  card.style.width = `${size[0]}px`
  card.style.height = `${size[1]}px`
  figure.append(caption, card)
  document.querySelector('main')!.append(figure)
  const chart = createChart(card, spec, { label: title })
  if (window) chart.zoom(...window)
  if (cursor !== undefined) chart.setCursor(cursor)
  return chart
}
