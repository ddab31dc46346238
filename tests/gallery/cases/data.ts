import type { GalleryCase } from '../gallery-case.ts'
import { prices, randomFrom } from '../sample-data.ts'

const HOUR = 3_600_000

function million(): { x: Float64Array; y: Float64Array } {
  const random = randomFrom(70)
  const x = Float64Array.from({ length: 1_000_000 }, (_, i) => Date.UTC(2024, 0, 1) + i * 60_000)
  let level = 50
  const y = x.map((_, i) => {
    level += (random() - 0.5) * 0.3 + (50 - level) * 0.0001
    return i === 432_100 ? 140 : level
  })
  return { x, y }
}

const withGaps = prices(71, '2024-01-01', 260, 60)
withGaps.y = withGaps.y.map((value, i) => ((i > 80 && i < 120) || i === 181 || i === 183 ? NaN : value))

const shuffled = prices(72, '2024-01-01', 120, 60)
const order = Array.from(shuffled.x.keys()).sort((a, b) => ((a * 37) % 101) - ((b * 37) % 101))

export const cases: Record<string, GalleryCase> = {
  million: {
    title: 'A million points: the only spike is visible',
    spec: () => ({ series: [{ label: 'Load', kind: 'line', ...million() }] }),
  },
  'million-area-dashed': {
    title: 'Many points as an area, and dashed',
    spec: () => ({
      series: [
        { label: 'Load', kind: 'area', ...million() },
        {
          label: 'Limit',
          kind: 'line',
          lineStyle: 'DASHED',
          x: million().x,
          y: million().x.map((_, i) => 90 + 10 * Math.sin(i / 60_000)),
        },
      ],
    }),
  },
  'million-scatter': {
    title: 'Many dots and many bars',
    spec: () => ({
      series: [
        {
          label: 'Bars',
          kind: 'bars',
          opacity: 0.5,
          x: million().x,
          y: million().y.map((value) => value - 50),
        },
        { label: 'Dots', kind: 'scatter', dotSize: 2, ...million() },
      ],
    }),
  },
  gaps: {
    title: 'Gaps stay gaps; a value between two gaps is a dot',
    spec: { series: [{ label: 'Brent', kind: 'area', ...withGaps }] },
    cursor: withGaps.x[182]!,
  },
  unsorted: {
    title: 'Unsorted points are sorted',
    spec: {
      series: [
        {
          label: 'Brent',
          kind: 'line',
          x: order.map((i) => shuffled.x[i]!),
          y: order.map((i) => shuffled.y[i]!),
        },
      ],
    },
    size: [360, 220],
  },
  hours: {
    title: 'Times of day in a zone, over the night in which summer time begins',
    spec: {
      x: { timeZone: 'Europe/Berlin' },
      series: [
        {
          label: 'Day ahead',
          kind: 'line',
          interpolation: 'stepAfter',
          x: Array.from({ length: 48 }, (_, i) => Date.UTC(2026, 2, 28, 12) + i * HOUR),
          y: Array.from({ length: 48 }, (_, i) => 60 + 25 * Math.sin(i / 3.8) + (i % 5)),
        },
      ],
    },
    cursor: Date.UTC(2026, 2, 29, 1),
  },
  'one-point': {
    title: 'A single point',
    spec: { series: [{ label: 'First', kind: 'line', x: [Date.UTC(2026, 0, 5)], y: [42] }] },
    size: [360, 220],
  },
  'no-points': {
    title: 'No points at all: axes only',
    spec: { series: [{ label: 'Nothing', kind: 'line', x: [], y: [] }] },
    size: [360, 220],
  },
  'all-equal': {
    title: 'All values equal, fitted to the data',
    spec: {
      leftAxis: { domain: 'Fit to data' },
      series: [
        { label: 'Flat', kind: 'line', x: prices(1, '2026-01-01', 30, 5).x, y: Array<number>(30).fill(7.25) },
      ],
    },
    size: [360, 220],
  },
  negative: {
    title: 'Values on both sides of zero',
    spec: {
      series: [
        { label: 'Spread', kind: 'area', x: withGaps.x, y: withGaps.y.map((value) => value - 60) },
        {
          label: 'Share',
          kind: 'line',
          axis: 'right',
          x: withGaps.x,
          y: withGaps.y.map((value) => (value - 55) * 1e6),
        },
      ],
    },
  },
  hostile: {
    title: 'Labels are text, never HTML; infinite values are gaps',
    spec: {
      title: '<img src=x onerror=alert(1)> & "quotes"',
      series: [
        {
          label: '<b>bold</b><script>alert(1)</script>',
          kind: 'line',
          x: [1, 2, 3, 4, 5].map((d) => Date.UTC(2026, 0, d)),
          y: [1, Infinity, 3, 2, 4],
        },
        {
          label: 'A label so long that it cannot possibly fit into the legend of a chart of this width',
          kind: 'line',
          x: [1, 2, 3, 4, 5].map((d) => Date.UTC(2026, 0, d)),
          y: [3, 2, NaN, 5, 1],
        },
      ],
    },
    cursor: Date.UTC(2026, 0, 4),
    size: [480, 260],
  },
  'many-series': {
    title: 'Two hundred series: a button opens the whole legend, the tooltip shows the nearest',
    spec: {
      series: Array.from({ length: 200 }, (_, i) => ({
        label: `Series ${i + 1}`,
        kind: 'line' as const,
        ...prices(100 + i, '2025-01-01', 80, 20 + i),
      })),
    },
    cursor: Date.parse('2025-02-14'),
  },
  zoomed: {
    title: 'Zoomed to two weeks: raw points and day labels',
    spec: { series: [{ label: 'Brent', kind: 'line', ...prices(1, '2023-01-02', 520, 80) }] },
    window: [Date.UTC(2024, 2, 3), Date.UTC(2024, 2, 19)],
  },
}
