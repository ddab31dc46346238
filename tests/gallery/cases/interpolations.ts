import { INTERPOLATIONS } from '@headwater/charts'
import type { GalleryCase } from '../gallery-case.ts'

const x = Array.from({ length: 14 }, (_, i) => i)
const y = [2, 5, 3, 8, 7.5, 1, 4, null, 6, 9, 4, 6.5, 3, 5]

/** Each curve as a line and as an area, with a gap. */
export const cases: Record<string, GalleryCase> = Object.fromEntries(
  INTERPOLATIONS.map((interpolation) => [
    `curve-${interpolation}`,
    {
      title: `Interpolation ${interpolation} (${INTERPOLATIONS.indexOf(interpolation) < 8 ? 'IN-188' : 'IN-189'})`,
      spec: {
        x: { kind: 'number' },
        interpolation,
        legend: { show: false },
        series: [
          { label: 'Area', kind: 'area', x, y: y.map((value) => value && value / 2) },
          { label: 'Line', kind: 'line', thickness: 2, x, y: y.map((value) => value && value + 3) },
          { label: 'Points', kind: 'scatter', color: '--text-3', x, y: y.map((value) => value && value + 3) },
        ],
      },
      size: [360, 220],
    } satisfies GalleryCase,
  ]),
)
