import { expect, test } from 'vitest'
import type { ChartSpec } from './chart-spec.ts'
import { drawChart, type DrawingOptions } from './draw-chart.ts'
import { lightTheme } from './light-theme.ts'
import { SvgPen } from './svg-pen.ts'

/** Each character is 6 pixels wide. */
const measure = { font: '', measureText: (text: string) => ({ width: text.length * 6 }) }
const theme = lightTheme('Test', { '--series-1': '#112233', '--text': '#445566' })

function draw(spec: Partial<ChartSpec>, options: Partial<DrawingOptions> = {}) {
  const whole = { series: [], x: { kind: 'number' }, ...spec } as ChartSpec
  const drawing = drawChart(whole, { measure, theme, width: 400, plotHeight: 200, scale: 1, ...options })
  const pen = new SvgPen(500, 500)
  const parts = [...drawing.paint(pen)].length
  const svg = pen.toString()
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text!)
  return { svg, texts, parts, height: drawing.height }
}

const points = { kind: 'line', x: [0, 1, 2], y: [0, 10, 5] } as const

test('a chart is drawn without a browser, in the light colours of the tokens', () => {
  const series = ['First', 'Second'].map((label) => ({ label, ...points }))
  const { svg, texts, parts } = draw({ series, title: 'Prices' })
  expect(parts).toBe(2)
  expect(texts).toEqual(expect.arrayContaining(['Prices', 'First', 'Second', '0', '10']))
  expect(svg.match(/<path [^>]*stroke="#112233"/g)).toHaveLength(1)
  expect(svg.match(/<path [^>]*stroke="#d9702c"/g)).toHaveLength(1)
  expect(svg).toMatch(/fill="#445566">Prices/)
})

test('resolves colours for the light scheme: tokens, fallbacks of tokens, and pairs of both schemes', () => {
  const { color } = theme
  expect(color('--series-1')).toBe('#112233')
  expect(color('var(--series-1, light-dark(#000000, #ffffff))')).toBe('#112233')
  expect(color('var(--unknown, light-dark(#abcdef, #ffffff))')).toBe('#abcdef')
  expect(color('light-dark(#010203, #ffffff)')).toBe('#010203')
  expect(color('#fff')).toBe('#fff')
  expect(color('--unknown')).toBe('#808080')
})

test('a long title and long labels of the legend end in an ellipsis', () => {
  const label = 'L'.repeat(100)
  const { texts } = draw({ series: [{ label, ...points }], title: 'T'.repeat(100), legend: { show: true } })
  expect(texts.find((text) => text.startsWith('T'))).toBe(`${'T'.repeat(65)}…`)
  expect(texts.find((text) => text.startsWith('L'))).toBe(`${'L'.repeat(60)}…`)
  const narrow = draw({ series: [{ label, ...points }], legend: { show: true } }, { maxLabelPixels: 120 })
  expect(narrow.texts.find((text) => text.startsWith('L'))).toBe(`${'L'.repeat(19)}…`)
})

test('a limited legend names the number of omitted series, and does not become higher', () => {
  const series = Array.from({ length: 30 }, (_, at) => ({ label: `Series number ${at}`, ...points }))
  const all = draw({ series })
  const { texts, height } = draw({ series }, { maxLegendRows: 2 })
  const names = texts.filter((text) => text.startsWith('Series'))
  expect(texts.at(-1)).toBe(`and ${30 - names.length} more`)
  expect(names).toEqual(series.slice(0, names.length).map(({ label }) => label))
  expect(names.length).toBeGreaterThan(2)
  expect(all.texts.filter((text) => text.startsWith('Series'))).toHaveLength(30)
  expect(height).toBe(200 + 2 * 12 + 2 * 20 + 4)
  const fitting = draw({ series: series.slice(0, 3) }, { maxLegendRows: 2 })
  expect(fitting.texts.at(-1)).toBe('Series number 2')
})
