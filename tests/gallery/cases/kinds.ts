import type { GalleryCase } from '../gallery-case.ts'
import { monthly, prices, randomFrom } from '../sample-data.ts'

const random = randomFrom(11)
const cloud = (cx: number, cy: number, count: number) => {
  const x = Array.from({ length: count }, () => cx + (random() + random() + random() - 1.5) * 20)
  return { x, y: x.map((at) => cy + (at - cx) * 0.6 + (random() + random() - 1) * 9) }
}

export const cases: Record<string, GalleryCase> = {
  composed: {
    title: 'Area, line and dashed line on two axes with the crosshair (IN-169, IN-179, IN-180)',
    spec: {
      series: [
        { label: 'Brent', kind: 'area', ...prices(1, '2022-01-03', 1200, 80) },
        { label: 'WTI', kind: 'line', ...prices(2, '2022-01-03', 1200, 74) },
        {
          label: 'Henry Hub',
          kind: 'line',
          axis: 'right',
          lineStyle: 'DASHED',
          ...prices(3, '2022-01-03', 1200, 4, 0.05),
        },
      ],
    },
    size: [900, 320],
    cursor: Date.parse('2025-05-02'),
  },
  bars: {
    title: 'Bars of three series side by side (IN-179)',
    spec: {
      series: [
        { label: 'Imports', kind: 'bars', ...monthly(4, '2025-01-01', 12, 40) },
        { label: 'Exports', kind: 'bars', ...monthly(5, '2025-01-01', 12, 30) },
        { label: 'Balance', kind: 'bars', ...monthly(6, '2025-01-01', 12, -9, 4) },
      ],
    },
    cursor: Date.UTC(2025, 4, 1),
  },
  scatter: {
    title: 'Dots on a number axis, two sizes (IN-179, IN-182)',
    spec: {
      x: { kind: 'number' },
      series: [
        { label: 'Summer', kind: 'scatter', ...cloud(30, 50, 250) },
        { label: 'Winter', kind: 'scatter', dotSize: 9, opacity: 0.55, ...cloud(60, 70, 120) },
      ],
    },
  },
  histogram: {
    title: 'Bars as a histogram (IN-181)',
    spec: {
      x: { kind: 'number' },
      series: [
        {
          label: 'Days',
          kind: 'bars',
          isHistogram: true,
          x: Array.from({ length: 24 }, (_, i) => i * 5 + 2.5),
          y: Array.from({ length: 24 }, (_, i) => Math.round(180 * Math.exp(-(((i - 11) / 5) ** 2)))),
        },
      ],
    },
  },
  mixed: {
    title: 'All four kinds in one chart (IN-179)',
    spec: {
      series: [
        {
          label: 'Stocks',
          kind: 'bars',
          axis: 'right',
          opacity: 0.6,
          ...monthly(7, '2024-01-01', 18, 420, 0.3),
        },
        { label: 'Price', kind: 'area', ...prices(8, '2024-01-01', 380, 62) },
        {
          label: 'Forward',
          kind: 'line',
          interpolation: 'monotone',
          thickness: 2,
          ...monthly(9, '2024-01-01', 18, 70, 0.2),
        },
        { label: 'Deals', kind: 'scatter', dotSize: 6, ...monthly(10, '2024-01-15', 17, 50, 0.5) },
      ],
    },
  },
  'vertical-mixed': {
    title: 'Layout vertical: area, dots and a histogram on two axes (IN-179, IN-187)',
    spec: {
      layout: 'vertical',
      leftAxis: { unit: '$' },
      series: [
        { label: 'Price', kind: 'area', ...prices(8, '2024-01-01', 120, 62) },
        {
          label: 'Stocks',
          kind: 'bars',
          axis: 'right',
          isHistogram: true,
          opacity: 0.5,
          ...monthly(7, '2024-01-01', 4, 420, 0.3),
        },
        { label: 'Deals', kind: 'scatter', dotSize: 7, ...monthly(10, '2024-01-15', 4, 50, 0.5) },
      ],
    },
    size: [480, 420],
  },
  vertical: {
    title: 'Layout vertical: x runs downwards (IN-187)',
    spec: {
      layout: 'vertical',
      series: [
        { label: 'Imports', kind: 'bars', ...monthly(4, '2025-01-01', 12, 40) },
        { label: 'Average', kind: 'line', interpolation: 'monotoneX', ...monthly(5, '2025-01-01', 12, 30) },
      ],
    },
    size: [480, 420],
    cursor: Date.UTC(2025, 5, 1),
  },
}
