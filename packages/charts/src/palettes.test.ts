import { expect, test } from 'vitest'
import { PALETTES } from './chart-spec.ts'
import type { Palette } from './chart-spec.ts'
import { contrast, linearPart, type Rgb } from './contrast.ts'
import { colorOfSeries, paletteColors } from './palettes.ts'

test('IN-172 the five palettes differ, each with different colours for light and dark', () => {
  expect(PALETTES).toEqual(['COLORFUL_2', 'BLUE', 'COLORFUL_1', 'GREEN', 'RED'])
  expect(new Set(PALETTES.map((palette) => paletteColors(palette).join())).size).toBe(5)
  for (const palette of PALETTES) {
    const colors = paletteColors(palette)
    expect(colors.length).toBeGreaterThanOrEqual(6)
    expect(new Set(colors).size).toBe(colors.length)
    for (const color of colors) expect(color).toMatch(/light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)/)
  }
})

test('IN-172 COLORFUL_2 uses the tokens of the theme and is the default', () => {
  expect(paletteColors('COLORFUL_2')[2]).toContain('var(--series-3,')
  expect(paletteColors('unknown' as Palette)).toEqual(paletteColors('COLORFUL_2'))
})

test.each([
  ['BLUE', 2],
  ['RED', 0],
  ['GREEN', 1],
] as const)('IN-172 the colours of %s have that hue', (palette, strongest) => {
  for (const color of paletteColors(palette)) {
    for (const [, hex] of color.matchAll(/#([0-9a-f]{6})/g)) {
      const parts = [0, 2, 4].map((at) => parseInt(hex!.slice(at, at + 2), 16))
      expect(Math.max(...parts)).toBe(parts[strongest])
    }
  }
})

/** Returns lightness and the two colour axes in OKLab, in which equal distances look equally different. */
function oklab(hex: string): [number, number, number] {
  const [r, g, b] = rgbOf(hex).map(linearPart) as [number, number, number]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ]
}

function rgbOf(hex: string): Rgb {
  const part = (at: number) => parseInt(hex.slice(at, at + 2), 16)
  return [part(0), part(2), part(4)]
}

test.each(PALETTES)('24 series of %s look different and stand out on both backgrounds', (palette) => {
  const colors = Array.from({ length: 24 }, (_, index) => colorOfSeries(palette, index))
  expect(colors.slice(0, paletteColors(palette).length)).toEqual(paletteColors(palette))
  expect(colorOfSeries(palette, 24)).toBe(colors[0])
  for (const [scheme, ground] of [
    [0, 'ffffff'],
    [1, '151b20'],
  ] as const) {
    const hexes = colors.map((color) => [...color.matchAll(/#([0-9a-f]{6})/g)][scheme]![1]!)
    const distances = hexes.flatMap((one, at) =>
      hexes.slice(at + 1).map((other) => Math.hypot(...oklab(one).map((part, i) => part - oklab(other)[i]!))),
    )
    // About twice the smallest perceptible difference.
    expect(Math.min(...distances)).toBeGreaterThan(0.035)
    // WCAG 2.2 requires 3:1 of lines and marks.
    for (const hex of hexes) expect(contrast(rgbOf(hex), rgbOf(ground)), hex).toBeGreaterThanOrEqual(3)
  }
})
