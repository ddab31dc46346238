import type { Palette } from './chart-spec.ts'

const THEME_SERIES = [
  '2b7bba,5aa6df',
  'd9702c,f0935a',
  '2f8f6b,57be97',
  'b8456a,e47b9c',
  '6d5bb8,a294e8',
  'a67c17,d9b14c',
  '2f95a8,62c5d6',
  '7c6352,b89c8a',
]

const COLORS: Record<Palette, readonly string[]> = {
  COLORFUL_2: THEME_SERIES.map((pair, i) => `var(--series-${i + 1}, ${lightDark(pair)})`),
  COLORFUL_1: [
    '1c7c8c,4fc3d4',
    'c2408e,ec86c2',
    '5b8c1a,a3d15c',
    'd2502f,f58a6d',
    '3d5cc9,8ea4f7',
    'b07a00,e6b93f',
    '7b4bb3,be97ee',
    '50646f,9fb4bf',
  ].map(lightDark),
  BLUE: [
    '0f4c81,8cc4f0',
    '3f8fd0,4c97d6',
    '78b3e3,2f76b5',
    '23699f,b5daf7',
    '5c86ab,7f9fbd',
    '9cc3e4,255a8c',
  ].map(lightDark),
  GREEN: [
    '14633f,8fdcb4',
    '3a9a68,4fb585',
    '7cbf9b,348f63',
    '237b52,b9ecd1',
    '5f8f76,86ad99',
    '9fd0b6,27694a',
  ].map(lightDark),
  RED: [
    '8f1f2d,f5a3aa',
    'cc4a55,e2707a',
    'e38d93,b84a55',
    'ab3340,fac9cd',
    'a1686d,bd9196',
    'edb0b5,8c3640',
  ].map(lightDark),
}

/**
 * Colours of a palette, in the order in which series take them; after the last the first comes again. Each is a CSS
 * colour for both schemes; those of `COLORFUL_2` are the tokens `--series-1` to `--series-8`, with a fall-back.
 */
export function paletteColors(palette: Palette): readonly string[] {
  return COLORS[palette] ?? COLORS.COLORFUL_2
}

function lightDark(pair: string): string {
  const [light, dark] = pair.split(',')
  return `light-dark(#${light}, #${dark})`
}
