import type { TableRule } from '@headwater/tile-data/core'

/** The smallest and the largest number of a column. */
export interface NumberRange {
  /** The smallest number. */
  least: number
  /** The greatest number. */
  greatest: number
}

/** Position of a number on a colour scale. */
export interface ScalePoint {
  /** Below or above the middle colour. */
  part: 'lower' | 'upper'
  /** Position within this part, 0 to 1, in hundredths. */
  share: number
}

/** Ends of a bar as fractions of the cell, 0 to 1. */
export interface BarEnds {
  /** Start, 0 to 1. */
  from: number
  /** End, 0 to 1. */
  to: number
  /** Whether the number is negative. */
  isNegative: boolean
}

/** Levels of icons, from low to high. */
export const iconLevels = ['low', 'medium', 'high'] as const
/** One of {@link iconLevels}. */
export type IconLevel = (typeof iconLevels)[number]

type Bounds = Pick<TableRule, 'lowValue' | 'middleValue' | 'highValue'>

/** Parses a cell as a number; undefined for an empty cell and for text. */
export function numberIn(cell: string): number | undefined {
  const value = cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isFinite(value) ? value : undefined
}

/** Returns the range of the numbers of a column; undefined without numbers. */
export function numberRange(rows: readonly (readonly string[])[], index: number): NumberRange | undefined {
  let [least, greatest] = [Infinity, -Infinity]
  for (const row of rows) {
    const value = numberIn(row[index]!)
    if (value === undefined) continue
    if (value < least) least = value
    if (value > greatest) greatest = value
  }
  return least <= greatest ? { least, greatest } : undefined
}

/** Returns the position of a number on a colour scale. Numbers beyond a bound are clamped. */
export function scalePoint(
  value: number,
  { least, greatest }: NumberRange,
  { lowValue = least, middleValue, highValue = greatest }: Bounds,
): ScalePoint {
  const halfway = (lowValue + highValue) / 2
  const isWithin = middleValue !== undefined && (middleValue - lowValue) * (highValue - middleValue) > 0
  const middle = isWithin ? middleValue : halfway
  const share = shareOf(value, lowValue, middle)
  if (share < 1) return { part: 'lower', share }
  return { part: 'upper', share: shareOf(value, middle, highValue) }
}

/** Returns the ends of the bar of a number. It starts at zero, or at the bound nearest to zero. */
export function barEnds(
  value: number,
  { least, greatest }: NumberRange,
  { lowValue = Math.min(0, least), highValue = Math.max(0, greatest) }: Bounds,
): BarEnds {
  const [low, high] = lowValue <= highValue ? [lowValue, highValue] : [highValue, lowValue]
  const start = shareOf(0, low, high)
  const end = shareOf(value, low, high)
  return { from: Math.min(start, end), to: Math.max(start, end), isNegative: value < 0 }
}

/** Returns the icon level of a number. */
export function iconLevel(
  value: number,
  { least, greatest }: NumberRange,
  bounds: Pick<TableRule, 'lowValue' | 'highValue'>,
): IconLevel {
  const third = (greatest - least) / 3
  const { lowValue = least + third, highValue = greatest - third } = bounds
  if (value >= highValue) return 'high'
  return value < lowValue ? 'low' : 'medium'
}

/** Returns the relative position of a number between two others, 0 to 1 in hundredths; 1 for an empty interval. */
function shareOf(value: number, from: number, to: number): number {
  const share = from === to ? (value < from ? 0 : 1) : (value - from) / (to - from)
  return Math.round(Math.min(1, Math.max(0, share)) * 100) / 100
}
