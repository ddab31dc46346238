import { expect, test } from 'vitest'
import { isHeavySvg, type SvgElement } from './svg-cost.ts'

/** Returns an element like those of a browser. */
function element(
  localName: string,
  attributes: Record<string, string> = {},
  children: SvgElement[] = [],
  textContent = '',
): SvgElement {
  return {
    localName,
    id: attributes.id ?? '',
    textContent,
    children,
    attributes: Object.entries(attributes).map(([name, value]) => ({ localName: name, value })),
  }
}
const times = (count: number, make: () => SvgElement) => Array.from({ length: count }, make)

/** Returns levels that each draw the level below ten times. */
function levels(count: number, level: (at: number, below: string) => SvgElement) {
  return Array.from({ length: count }, (_, at) => level(at, `l${at - 1}`))
}

test('a document whose references multiply is heavy, even if it is short', () => {
  const uses = (count: number) =>
    element('svg', {}, [
      ...levels(count, (at, below) =>
        element(
          'g',
          { id: `l${at}` },
          at === 0 ? [element('rect')] : times(10, () => element('use', { href: `#${below}` })),
        ),
      ),
    ])
  expect(isHeavySvg(uses(4))).toBe(false)
  expect(isHeavySvg(uses(9))).toBe(true)
  const patterns = element('svg', {}, [
    ...levels(9, (at, below) =>
      element(
        'pattern',
        { id: `l${at}` },
        times(10, () => element('rect', { style: `fill:url(#${below})` })),
      ),
    ),
    element('rect', { fill: "url('#l8')" }),
  ])
  expect(isHeavySvg(patterns)).toBe(true)
  const sheet = levels(9, (at) => element('style', {}, [], `/* } */ g .c${at}, i { mask: url("#l${at}") }`))
  const masks = levels(9, (at) =>
    element(
      'mask',
      { id: `l${at}` },
      times(10, () => element('rect', { class: `a c${at - 1}` })),
    ),
  )
  expect(isHeavySvg(element('svg', {}, [...sheet, ...masks, element('rect', { class: 'c2' })]))).toBe(true)
  expect(
    isHeavySvg(element('svg', {}, [...sheet, ...masks.slice(0, 3), element('rect', { class: 'c2' })])),
  ).toBe(false)
})

test('circular references are heavy, references to missing elements are not', () => {
  const group = (id: string, ...to: string[]) =>
    element(
      'g',
      { id },
      to.map((href) => element('use', { href })),
    )
  expect(isHeavySvg(element('svg', { id: 's' }, [group('a', '#b'), group('b', '#a')]))).toBe(true)
  expect(isHeavySvg(element('svg', { id: 's' }, [group('a', '#s')]))).toBe(true)
  expect(isHeavySvg(element('svg', { id: 's' }, [group('a', '#gone', 'a.svg#a', '')]))).toBe(false)
})

test('many elements and ordinary references are not heavy, very deep nesting is', () => {
  expect(
    isHeavySvg(
      element(
        'svg',
        {},
        times(50_000, () => element('path')),
      ),
    ),
  ).toBe(false)
  const symbol = element('symbol', { id: 'dot' }, [element('circle', { fill: 'url(#g)' })])
  const gradient = element(
    'linearGradient',
    { id: 'g' },
    times(4, () => element('stop')),
  )
  const map = element('svg', {}, [symbol, gradient, ...times(1000, () => element('use', { href: '#dot' }))])
  expect(isHeavySvg(map)).toBe(false)
  let deep = element('g')
  for (let depth = 0; depth < 100_000; depth += 1) deep = element('g', {}, [deep])
  expect(isHeavySvg(element('svg', {}, [deep]))).toBe(true)
})

test('references with escapes or in attribute selectors count too', () => {
  const patterns = (attributes: (at: number, below: string) => Record<string, string>) =>
    levels(9, (at, below) =>
      element(
        'pattern',
        { id: `l${at}` },
        times(10, () => element('rect', at === 0 ? {} : attributes(at, below))),
      ),
    )
  const last = element('rect', { fill: 'url(#l8)' })
  const escaped = patterns((_, below) => ({ fill: `url(#\\6c ${below.slice(1)})` }))
  expect(isHeavySvg(element('svg', {}, [...escaped, last]))).toBe(true)
  const rules = Array.from({ length: 8 }, (_, at) => `rect[k="${at + 1}"] { fill: url(#l${at}) }`).join('\n')
  const chosen = patterns((at) => ({ k: String(at) }))
  expect(isHeavySvg(element('svg', {}, [element('style', {}, [], rules), ...chosen, last]))).toBe(true)
})
