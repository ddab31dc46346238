import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, paletteColors, type Rgb } from '@headwater/charts/values'

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
const schemes = ['light', 'dark'] as const

/** Returns the value of a token, such as `light-dark(#ffffff, #151b20)`. */
function valueOf(token: string): string {
  return new RegExp(`${token}: ([^;]+);`).exec(css)![1]!
}

function colourOf(token: string, scheme: (typeof schemes)[number]): Rgb {
  const hex = valueOf(token).match(/#[0-9a-f]{6}/g)![schemes.indexOf(scheme)]!
  const part = (at: number) => parseInt(hex.slice(at, at + 2), 16)
  return [part(1), part(3), part(5)]
}

test('the first palette of charts has the colours of the series tokens', () => {
  const names = [...css.matchAll(/--series-\d+/g)].map(([name]) => name)
  expect(paletteColors('COLORFUL_2')).toEqual(names.map((name) => `var(${name}, ${valueOf(name)})`))
})

test('every text colour has a contrast of 4.5:1 with every surface, in both schemes', () => {
  const texts = ['--text', '--text-2', '--text-3', '--accent', '--accent-strong']
  const statuses = ['--running', '--paused', '--completed', '--error', '--warn', '--info', '--pending']
  for (const scheme of schemes) {
    for (const text of [...texts, ...statuses])
      for (const surface of ['--canvas', '--surface', '--raised', '--hover', '--selected'])
        expect(
          contrast(colourOf(text, scheme), colourOf(surface, scheme)),
          `${text} on ${surface}, ${scheme}`,
        ).toBeGreaterThanOrEqual(4.5)
    expect(contrast(colourOf('--on-accent', scheme), colourOf('--accent', scheme))).toBeGreaterThanOrEqual(
      4.5,
    )
  }
})

test('every series colour has a contrast of 3:1 with the surface and the canvas, in both schemes', () => {
  for (const scheme of schemes)
    for (let series = 1; series <= 8; series++)
      for (const ground of ['--surface', '--canvas'])
        expect(
          contrast(colourOf(`--series-${series}`, scheme), colourOf(ground, scheme)),
          `--series-${series} on ${ground}, ${scheme}`,
        ).toBeGreaterThanOrEqual(3)
})
