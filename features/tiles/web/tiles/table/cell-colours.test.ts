import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast } from '@headwater/charts/values'
import { tableTile, type TableRule, orderedColumns, readSeriesResult } from '@headwater/tile-data/core'
import { namedColours } from '../../editor/ColorField.tsx'
import { readToken } from './cell-colours.ts'
import { createCellLooks } from './cell-looks.ts'

const styleSheet = readFileSync(
  new URL('../../../../../kit/web/src/theme/tokens.css', import.meta.url),
  'utf8',
)
const theme = (token: string) => {
  const [, css] = new RegExp(`\\${token}: ([^;]+);`).exec(styleSheet) ?? []
  return css === undefined ? undefined : readToken(css)
}
const offered = namedColours.map(([token]) => token || undefined)
const own = ['#000000', '#ffffff', '#808080', '#ffff00', '#0000ff', '#12ab34', '#2f8f6b33', '#f00']

const result = readSeriesResult('Code,Date(UTC),Price\nB,2026-01-01T00:00:00,0\nB,2026-01-02T00:00:00,100\n')

/** Returns the colours of a number in a table with these rules, in both schemes. */
function coloursOf(rules: object[], value = '50', more: object = {}) {
  const table = tableTile.parse({ conditionalFormatting: rules, ...more })
  const column = orderedColumns(result, table).find(({ settings }) => settings.columnId === 'Price')!
  const looks = createCellLooks(table, { rows: result.rows, theme })
  const { style, bar, icon } = looks(column, value, { columnId: 'Price', row: 0, rows: 2 })
  const read = (css: string | undefined, otherwise: string) =>
    (css === undefined ? undefined : readToken(css)) ?? theme(otherwise)!
  return {
    text: read(style.color, '--text'),
    icon: read(icon?.color ?? style.color, '--text'),
    // A row without its own background also has hover and selection backgrounds.
    behind: [
      ...(style.backgroundColor === undefined
        ? ['--surface', '--hover', '--selected'].map((token) => theme(token)!)
        : [read(style.backgroundColor, '--surface')]),
      ...(bar ? [read(bar.color, '--surface')] : []),
    ],
    style,
  }
}

function leastContrast({ text, icon, behind }: ReturnType<typeof coloursOf>): number {
  return Math.min(
    ...(['light', 'dark'] as const).flatMap((scheme) =>
      [text, icon].flatMap((front) => behind.map((back) => contrast(front[scheme], back[scheme]))),
    ),
  )
}

const always = { condition: '>', conditionValueA: '1' }

test('every offered text colour has a contrast of 4.5:1 with every offered background, in both schemes', () => {
  for (const textColor of [...offered, '#ffffff', '#000000', '#ffff00'])
    for (const bgColor of [...offered, ...own.filter((colour) => colour.length === 7)]) {
      const least = leastContrast(coloursOf([{ ...always, textColor, bgColor }]))
      expect([textColor, bgColor, least >= 4.5]).toEqual([textColor, bgColor, true])
    }
})

test('scales, bars, icons and the colours of different values have a contrast of 4.5:1 with the text, in both schemes', () => {
  for (const highColor of [...offered, ...own])
    for (const lowColor of [...offered, ...own])
      for (const value of ['0', '25', '50', '75', '100'])
        for (const rule of [
          { kind: 'COLOR_SCALE', lowColor, highColor },
          { kind: 'COLOR_SCALE', lowColor, middleColor: '--series-6', highColor },
        ]) {
          const least = leastContrast(coloursOf([rule, { kind: 'ICON_SET', iconSet: 'SIGNS' }], value))
          expect([rule, value, least >= 4.5]).toEqual([rule, value, true])
        }
  for (const highColor of offered)
    for (const textColor of offered) {
      const rules = [
        { kind: 'DATA_BAR', highColor },
        { ...always, textColor },
      ]
      const least = leastContrast(coloursOf(rules))
      expect([highColor, textColor, least >= 4.5]).toEqual([highColor, textColor, true])
    }
  for (let value = 0; value < 40; value++) {
    const colours = coloursOf([{ condition: 'for every different value' }], String(value))
    expect(colours.style.backgroundColor).toMatch(/^light-dark/)
    expect(leastContrast(colours)).toBeGreaterThanOrEqual(4.5)
  }
})

test('a colour with enough contrast is used unchanged, and text without a colour remains neutral', () => {
  const { style } = coloursOf([{ ...always, bgColor: '--series-4' }])
  expect(style.color).toBe('light-dark(#18212a, #e4e9ee)')
  expect(coloursOf([{ ...always, textColor: '#000000', bgColor: '#ffffff' }]).style).toMatchObject({
    color: '#000000',
    backgroundColor: '#ffffff',
  })
  expect(coloursOf([]).style).toMatchObject({ color: undefined, backgroundColor: undefined })
})

test('text of a rule is readable on the background of its row and of its column', () => {
  const rule = { ...always, textColor: '--series-1' }
  for (const background of offered) {
    if (background === undefined) continue
    const token = theme(background)!
    const looks = [
      coloursOf([rule], '50', { rowConfigs: [{ id: 'Row 1', background }] }),
      coloursOf([rule], '50', { columns: [{ columnId: 'Price', bgColor: background }] }),
    ]
    for (const { text } of looks)
      for (const scheme of ['light', 'dark'] as const)
        expect(contrast(text[scheme], token[scheme])).toBeGreaterThanOrEqual(4.5)
  }
})

test('parses colour tokens as the build writes them, including short hex colours', () => {
  const read = { light: [255, 255, 255], dark: [21, 27, 32] }
  expect(readToken('light-dark(#ffffff, #151b20)')).toEqual(read)
  expect(readToken('light-dark(#fff,#151b20)')).toEqual(read)
  expect(readToken('#123')).toEqual({ light: [17, 34, 51], dark: [17, 34, 51] })
  expect(readToken('inherit')).toBeUndefined()
})

test('a rule without a type has the type RULE, and invalid fields have their defaults', () => {
  const [rule, scale] = tableTile.parse({
    conditionalFormatting: [
      { applyTo: 'Price', condition: '>', conditionValueA: 1 },
      { kind: 'COLOR_SCALE', lowValue: 'x', lowColor: 'red', iconSet: 'STARS' },
    ],
  }).conditionalFormatting as [TableRule, TableRule]
  expect(rule.kind).toBe('RULE')
  expect(scale).toMatchObject({ kind: 'COLOR_SCALE', applyTo: 'ALL', iconSet: 'ARROWS' })
  expect([scale.lowValue, scale.lowColor]).toEqual([undefined, undefined])
})
