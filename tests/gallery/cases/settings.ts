import {
  AXIS_DOMAINS,
  movingAverage,
  PALETTES,
  seasonality,
  seasonalRange,
  TITLE_SIZES,
} from '@headwater/charts'
import type { AxisDomain } from '@headwater/charts'
import type { GalleryCase } from '../gallery-case.ts'
import { monthly, prices } from '../sample-data.ts'

const brent = prices(1, '2023-01-02', 520, 80)
const gas = prices(31, '2022-01-03', 1200, 3.4, 0.045)

const manyYears = seasonality(prices(31, '2018-01-02', 1900, 34, 0.03), 'January', {
  now: Date.UTC(2026, 7, 18),
})
const fiveYears = seasonalRange(manyYears)!

function domain(name: AxisDomain): [string, GalleryCase] {
  const title = `Axis domain "${name}" (IN-170)`
  const spec = { leftAxis: { domain: name }, series: [{ label: 'Brent', kind: 'line' as const, ...brent }] }
  return [`domain-${name.toLowerCase().replaceAll(' ', '-')}`, { title, spec, size: [360, 220] }]
}

export const cases: Record<string, GalleryCase> = {
  ...Object.fromEntries(AXIS_DOMAINS.map(domain)),
  'domain-auto-scale-zoomed': {
    title: 'Auto scale follows the window (IN-170)',
    spec: { leftAxis: { domain: 'Auto scale' }, series: [{ label: 'Brent', kind: 'line', ...brent }] },
    size: [360, 220],
    window: [Date.UTC(2024, 2, 1), Date.UTC(2024, 3, 15)],
  },
  'axis-logarithmic': {
    title: 'A logarithmic axis with fixed ends, a custom unit and short numbers',
    spec: {
      leftAxis: { log: true, min: 1, unit: 'GWh', numberFormat: 'Short' },
      rightAxis: { min: 40, max: 120, unit: '€', decimals: 1 },
      series: [
        {
          label: 'Output',
          kind: 'bars',
          x: monthly(12, '2025-01-01', 12, 1).x,
          y: Array.from({ length: 12 }, (_, at) => 3 * 2.6 ** at),
        },
        {
          label: 'Price',
          kind: 'line',
          axis: 'right',
          thickness: 2,
          ...monthly(13, '2025-01-01', 12, 80, 0.1),
        },
      ],
    },
    cursor: Date.UTC(2025, 6, 1),
  },
  ...Object.fromEntries(
    PALETTES.map((palette) => [
      `palette-${palette.toLowerCase()}`,
      {
        title: `Palette ${palette} (IN-172)`,
        spec: {
          palette,
          series: Array.from({ length: 6 }, (_, i) => ({
            label: `Series ${i + 1}`,
            kind: 'line' as const,
            thickness: 2,
            ...prices(40 + i, '2024-01-01', 60, 30 + 12 * i, 0.03),
          })),
        },
        size: [480, 260],
      } satisfies GalleryCase,
    ]),
  ),
  units: {
    title: 'Units $ on the left and % on the right (IN-174)',
    spec: {
      leftAxis: { unit: '$' },
      rightAxis: { unit: '%', domain: 'Zero to 100' },
      series: [
        { label: 'Turnover', kind: 'bars', ...monthly(12, '2025-01-01', 12, 2_400_000) },
        {
          label: 'Utilisation',
          kind: 'line',
          axis: 'right',
          thickness: 2,
          ...monthly(13, '2025-01-01', 12, 70, 0.3),
        },
      ],
    },
    cursor: Date.UTC(2025, 6, 1),
  },
  'moving-average': {
    title: 'A 30-day moving average on top of its prices (IN-177)',
    spec: {
      leftAxis: { domain: 'Auto scale' },
      series: [
        { label: 'Brent', kind: 'line', opacity: 0.45, ...brent },
        { label: '30 days', kind: 'line', thickness: 2, x: brent.x, y: movingAverage(brent.y, 30) },
      ],
    },
  },
  season: {
    title: 'Seasonality: one line per year (IN-164, IN-190)',
    spec: {
      x: { format: 'dayOfYear' },
      interpolation: 'monotoneX',
      series: seasonality(gas, 'January', { now: Date.UTC(2026, 7, 18) }).map((season, i, all) => ({
        ...season,
        kind: 'line' as const,
        ...(i === all.length - 1 ? { color: '--accent', thickness: 2.2 } : { opacity: 0.8 }),
      })),
    },
    size: [560, 280],
    cursor: Date.UTC(2004, 4, 3),
  },
  'season-range': {
    title: 'The newest year on top of the range and the average of the previous five years',
    spec: {
      x: { format: 'dayOfYear' },
      leftAxis: { domain: 'Auto scale', unit: '€' },
      series: [
        {
          label: `Range ${fiveYears.label}`,
          kind: 'area',
          x: fiveYears.x,
          y: fiveYears.high,
          low: fiveYears.low,
          color: '--text-3',
        },
        {
          label: `Average ${fiveYears.label}`,
          kind: 'line',
          x: fiveYears.x,
          y: fiveYears.mean,
          color: '--text-2',
          lineStyle: 'DASHED',
        },
        ...manyYears.slice(-2).map((season) => ({ ...season, kind: 'line' as const })),
      ],
    },
    size: [560, 280],
    cursor: Date.UTC(2004, 2, 3),
  },
  'season-july': {
    title: 'Seasonal years which begin in July (IN-190)',
    spec: {
      x: { format: 'dayOfYear' },
      series: seasonality(gas, 'July', { now: 0 }).map((season) => ({ ...season, kind: 'line' as const })),
    },
    size: [480, 260],
  },
  'reference-line': {
    title: 'Reference lines at the latest value and at a fixed one (IN-181)',
    spec: {
      series: [
        { label: 'Brent', kind: 'line', referenceLine: true, ...brent },
        { label: 'Gas', kind: 'line', referenceLine: 20, ...prices(15, '2023-01-02', 520, 30) },
      ],
    },
  },
  'color-rules': {
    title: 'Conditional formatting of bars, line and dots (IN-183)',
    spec: {
      series: [
        {
          label: 'Change',
          kind: 'bars',
          colorRules: [{ to: 0, color: '--error' }],
          ...monthly(16, '2024-01-01', 24, 4, 6),
        },
        {
          label: 'Level',
          kind: 'line',
          axis: 'right',
          thickness: 2,
          colorRules: [{ from: 85, color: '--warn' }],
          ...prices(17, '2024-01-01', 520, 80),
        },
        {
          label: 'Deals',
          kind: 'scatter',
          colorRules: [{ from: 12, color: '--error' }],
          ...monthly(18, '2024-01-15', 23, 10, 1),
        },
      ],
    },
  },
  'legend-big': {
    title: 'A big legend in descending order; one series is hidden (IN-184, IN-186)',
    spec: {
      legend: { size: 'Big', sorting: 'DESC' },
      series: ['Leg 2', 'Leg 10', 'Leg 1', 'Leg 3'].map((label, i) => ({
        label,
        kind: 'line' as const,
        hidden: i === 3,
        ...prices(50 + i, '2024-01-01', 120, 40 + 10 * i),
      })),
    },
    size: [480, 260],
  },
  ...Object.fromEntries(
    TITLE_SIZES.map((titleSize) => [
      `title-${titleSize.toLowerCase()}`,
      {
        title: `Title size ${titleSize} (IN-185)`,
        spec: {
          title: 'Spot prices of crude oil',
          titleSize,
          legend: { show: false },
          series: [{ label: 'Brent', kind: 'area', ...brent }],
        },
        size: [360, 220],
      } satisfies GalleryCase,
    ]),
  ),
  looks: {
    title: 'Thickness, opacity, dashes, dots and custom colours (IN-180, IN-182)',
    spec: {
      interpolation: 'monotoneX',
      series: [
        { label: 'thin', kind: 'line', thickness: 0.5, ...monthly(60, '2024-01-01', 14, 80, 0.3) },
        {
          label: 'thick',
          kind: 'line',
          thickness: 6,
          color: '#7a5ab8',
          ...monthly(61, '2024-01-01', 14, 60, 0.3),
        },
        {
          label: 'faint',
          kind: 'line',
          thickness: 6,
          opacity: 0.3,
          ...monthly(62, '2024-01-01', 14, 45, 0.3),
        },
        {
          label: 'dashed',
          kind: 'line',
          thickness: 2,
          lineStyle: 'DASHED',
          ...monthly(63, '2024-01-01', 14, 30, 0.3),
        },
        {
          label: 'dots',
          kind: 'scatter',
          dotSize: 14,
          color: 'tomato',
          ...monthly(64, '2024-01-01', 14, 15, 0.3),
        },
      ],
    },
  },
}
