import { expect, test } from 'vitest'
import { PALETTES } from './chart-spec.ts'
import type { Palette } from './chart-spec.ts'
import { paletteColors } from './palettes.ts'

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
