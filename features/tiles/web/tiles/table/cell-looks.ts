import type { CSSProperties } from 'react'
import {
  meets,
  type Patterns,
  type DisplayColumn,
  type RowConfig,
  type RowId,
  type TableRule,
  type TableTile,
} from '@headwater/tile-data/core'
import type { CellBar } from '../../cells/cell-bar.ts'
import type { CellIconLook } from '../../cells/CellIcon.tsx'
import type { CellLook } from '../../exports/export-table.ts'
import {
  backgroundOf,
  between,
  cssOf,
  pageTheme,
  plainColour,
  readableOn,
  type SchemeColour,
  type ThemeColours,
} from './cell-colours.ts'
import {
  barEnds,
  iconLevel,
  iconLevels,
  numberIn,
  numberRange,
  type NumberRange,
  scalePoint,
} from './cell-scales.ts'

/** Row numbers of the footer and the header. */
export const [footerRow, headerRow] = [-1, -2]

/** Position of a cell. */
export interface CellPosition {
  /** Id of its column. */
  columnId: string
  /** Index of its row on the screen, from 0; or `footerRow` or `headerRow`. */
  row: number
  /** Number of rows. */
  rows: number
}

/** Returns whether a rule applies to a cell: by column, kind of row, first or last row, or all data rows. */
export function isAbout(
  { applyTo }: Pick<TableRule, 'applyTo'>,
  { columnId, row, rows }: CellPosition,
): boolean {
  const isData = row >= 0
  switch (applyTo) {
    case 'ALL':
      return isData
    case 'FIRST':
      return row === 0
    case 'LAST':
      return isData && row === rows - 1
    case 'Row 1':
    case 'Row 2':
    case 'Header':
    case 'Footer':
      return applyTo === rowIdAt(row)
    default:
      return isData && applyTo === columnId
  }
}

function rowIdAt(row: number): RowId {
  if (row === headerRow) return 'Header'
  if (row === footerRow) return 'Footer'
  return row % 2 === 0 ? 'Row 1' : 'Row 2'
}

const weights = { bold: 600, normal: undefined, lighter: 300 }

/** Style of a cell, including its bar and icon. */
export interface CellLooks {
  /** CSS of the cell. */
  style: CSSProperties
  /** Bar behind the value; undefined if there is none. */
  bar: CellBar | undefined
  /** Icon before the value; undefined if there is none. */
  icon: CellIconLook | undefined
}

/** Computes the style of a cell from its column and the rules that it meets. For each property, the last rule that sets it wins. */
export type CellLooksOf = (
  column: Pick<DisplayColumn, 'settings' | 'result' | 'isNumber'>,
  value: string,
  position: CellPosition,
) => CellLooks

/**
 * Returns the function that computes the styles of cells.
 * @param given `rows`: all rows, for scales; `patterns`: the matcher for rules with a pattern, absent while loading; `theme`: colours of
 * tokens, default those of the page
 */
export function createCellLooks(
  table: Pick<TableTile, 'conditionalFormatting' | 'rowConfigs'>,
  given: {
    rows: readonly (readonly string[])[]
    patterns?: Patterns | undefined
    theme?: ThemeColours
  },
): CellLooksOf {
  const { rows, patterns, theme = pageTheme } = given
  const ranges = new Map<number, NumberRange | undefined>()
  const finished = new Map<string, CSSProperties>()

  function rangeOf(index: number): NumberRange | undefined {
    if (!ranges.has(index)) ranges.set(index, numberRange(rows, index))
    return ranges.get(index)
  }

  /** Returns the configured colours of the row of a cell; an empty object without any. */
  function rowColours({ row }: CellPosition): {
    color?: string | undefined
    background?: string | undefined
  } {
    return table.rowConfigs.find(({ id }) => id === rowIdAt(row)) ?? {}
  }

  return (column, value, position) => {
    const { settings, result } = column
    const draft: Draft = {
      text: settings.textColor,
      background: settings.bgColor === undefined ? undefined : { own: settings.bgColor },
      weight: weights[settings.textStyle],
      bar: undefined,
      icon: undefined,
    }
    const number = column.isNumber && position.row >= 0 ? numberIn(value) : undefined
    for (const rule of table.conditionalFormatting) {
      if (!isAbout(rule, position)) continue
      if (rule.kind === 'RULE') {
        if (meets(value, rule, patterns)) addRule(draft, rule, value)
        continue
      }
      const range = number === undefined ? undefined : rangeOf(result.index)
      if (number !== undefined && range !== undefined) addScale(draft, rule, { number, range, theme })
    }
    const row = rowColours(position)
    const key = JSON.stringify([draft, row, settings.fontSize])
    let style = finished.get(key)
    if (style === undefined) finished.set(key, (style = styleOf(draft, row, settings.fontSize)))
    return { style, bar: draft.bar && barOf(draft.bar), icon: iconOf(draft, row) }
  }

  function backgroundsOf({ background, bar }: Draft, row: ReturnType<typeof rowColours>): SchemeColour[] {
    const behind =
      (background && drawnBackground(background)) ??
      (row.background === undefined ? undefined : backgroundOf(row.background, theme, 1))
    const base = behind === undefined ? ['--surface', '--hover', '--selected'].map(theme) : [behind]
    return [...base, bar && backgroundOf(bar.color, theme)].filter((colour) => colour !== undefined)
  }

  function drawnBackground(background: Background): SchemeColour | undefined {
    if ('own' in background) return backgroundOf(background.own, theme, 1)
    return 'tint' in background ? backgroundOf(background.tint, theme) : background.scale
  }

  function styleOf(
    draft: Draft,
    row: ReturnType<typeof rowColours>,
    fontSize: number | undefined,
  ): CSSProperties {
    const { background, weight } = draft
    const isColoured = draft.text !== undefined || background !== undefined || draft.bar !== undefined
    return {
      color: isColoured ? readableCss(draft.text ?? row.color ?? '--text', draft, row) : undefined,
      backgroundColor: background && backgroundCss(background),
      fontWeight: weight,
      fontSize,
    }
  }

  /** Computes tints of tokens and colours of scales; other colours stay unchanged. */
  function backgroundCss(background: Background): string | undefined {
    if ('own' in background) return cssColour(background.own)
    if ('tint' in background && !background.tint.startsWith('--')) return background.tint
    const drawn = drawnBackground(background)
    if (drawn !== undefined) return cssOf(drawn)
    return 'tint' in background ? cssColour(background.tint) : undefined
  }

  /** Returns a readable text colour; unchanged if the theme colours are unknown. */
  function readableCss(stored: string, draft: Draft, row: ReturnType<typeof rowColours>): string {
    const wanted = plainColour(stored, theme)
    const behind = backgroundsOf(draft, row)
    if (wanted === undefined || behind.length === 0) return cssColour(stored)
    return cssOf(readableOn(wanted, behind, theme))
  }

  function barOf({ from, to, color }: Bar): CellBar {
    const drawn = backgroundOf(color, theme)
    return { from, to, color: drawn === undefined ? cssColour(color) : cssOf(drawn) }
  }

  function iconOf(draft: Draft, row: ReturnType<typeof rowColours>): CellIconLook | undefined {
    if (draft.icon === undefined) return undefined
    const { token, ...icon } = draft.icon
    return { ...icon, color: readableCss(token, draft, row) }
  }
}

/** Returns the exported style of a cell; undefined for the default style. */
export function exportedLook({ style, bar, icon }: CellLooks): CellLook | undefined {
  const { color, backgroundColor: background, fontWeight } = style
  const isBold = fontWeight === weights.bold
  if ([color, background, bar, icon].every((part) => part === undefined) && !isBold) return undefined
  return { color, background, isBold, ...(bar && { bar }), ...(icon && { icon }) }
}

/** Background of a cell: an unchanged colour, a tint, or a colour of a scale. */
type Background = { own: string } | { tint: string } | { scale: SchemeColour }
/** A bar with the stored colour. */
type Bar = Omit<CellBar, 'color'> & { color: string }

/** Style of a cell before its colours are adjusted for contrast. */
interface Draft {
  text: string | undefined
  background: Background | undefined
  weight: CSSProperties['fontWeight']
  bar: Bar | undefined
  icon: (Omit<CellIconLook, 'color'> & { token: string }) | undefined
}

function addRule(draft: Draft, rule: TableRule, value: string): void {
  if (rule.textColor) draft.text = rule.textColor
  if (rule.textStyle) draft.weight = weights[rule.textStyle]
  if (rule.condition === 'for every different value') {
    const token = tokenOfValue(value)
    draft.background = token === undefined ? undefined : { tint: token }
  } else if (rule.bgColor) draft.background = { tint: rule.bgColor }
}

/** Default colours of scales and bars. */
const highToken = '--series-1'
const negativeToken = '--series-2'

function addScale(
  draft: Draft,
  rule: TableRule,
  { number, range, theme }: { number: number; range: NumberRange; theme: ThemeColours },
): void {
  switch (rule.kind) {
    case 'COLOR_SCALE': {
      const colour = scaleColour(rule, scalePoint(number, range, rule), theme)
      if (colour !== undefined) draft.background = { scale: colour }
      return
    }
    case 'DATA_BAR': {
      const { from, to, isNegative } = barEnds(number, range, rule)
      const color = isNegative ? (rule.lowColor ?? negativeToken) : (rule.highColor ?? highToken)
      draft.bar = { from, to, color }
      return
    }
    case 'ICON_SET':
      draft.icon = iconFor(rule, iconLevels.indexOf(iconLevel(number, range, rule)))
  }
}

/** Returns the background of a number on a colour scale. */
function scaleColour(
  { lowColor, middleColor, highColor = highToken }: TableRule,
  { part, share }: ReturnType<typeof scalePoint>,
  theme: ThemeColours,
): SchemeColour | undefined {
  const low = lowColor === undefined ? theme('--surface') : backgroundOf(lowColor, theme)
  const high = backgroundOf(highColor, theme)
  if (low === undefined || high === undefined) return undefined
  const middle = middleColor === undefined ? between(low, high, 0.5) : backgroundOf(middleColor, theme)
  if (middle === undefined) return undefined
  return part === 'lower' ? between(low, middle, share) : between(middle, high, share)
}

const iconLabels = {
  ARROWS: iconLevels,
  CIRCLES: iconLevels,
  SIGNS: ['bad', 'warning', 'good'],
} as const
const signTokens = ['--error', '--warn', '--completed'] as const

/** Returns the icon for a level, 0 to 2. Signs rate the value from bad to good; other icons represent its height. */
function iconFor({ iconSet, iconsReversed }: TableRule, level: number): Draft['icon'] {
  const shape = (iconsReversed ? 2 - level : level) as 0 | 1 | 2
  const isSign = iconSet === 'SIGNS'
  return {
    set: iconSet,
    shape,
    label: iconLabels[iconSet][isSign ? shape : level]!,
    token: isSign ? signTokens[shape] : '--text-2',
  }
}

/** Returns the style of one kind of rows; undefined without settings. */
export function rowStyle(
  { rowConfigs }: Pick<TableTile, 'rowConfigs'>,
  id: RowId,
): CSSProperties | undefined {
  const config = rowConfigs.find((each) => each.id === id)
  if (config === undefined) return undefined
  return {
    ...(config.color ? { color: cssColour(config.color) } : {}),
    ...(config.background ? { backgroundColor: cssColour(config.background) } : {}),
    ...(config.style === 'normal' ? {} : { fontWeight: weights[config.style] }),
    ...(config.fontSize === undefined ? {} : { fontSize: config.fontSize }),
  }
}

/** Returns the alignment of one kind of rows; undefined: each column has its own alignment. */
export function rowAlign({ rowConfigs }: Pick<TableTile, 'rowConfigs'>, id: RowId): RowConfig['align'] {
  return rowConfigs.find((each) => each.id === id)?.align
}

/** Returns a series colour by the hash of a value; undefined for an empty value. */
function tokenOfValue(value: string): string | undefined {
  if (value === '') return undefined
  let hash = 0
  for (const character of value) hash = (hash * 31 + character.codePointAt(0)!) >>> 0
  return `--series-${(hash % 8) + 1}`
}

/** Returns a stored colour as CSS. */
export function cssColour(colour: string): string
export function cssColour(colour: string | undefined): string | undefined
export function cssColour(colour: string | undefined): string | undefined {
  return colour?.startsWith('--') ? `var(${colour})` : colour
}
