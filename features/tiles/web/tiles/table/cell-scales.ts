import type { TableRule } from '../../../core/tiles/table/table-tile.ts'

/** The least and the greatest number of a column. */
export interface NumberRange {
  least: number
  greatest: number
}

/** Where a number is on a scale: from the low to the middle colour, or from the middle to the high one. */
export interface ScalePoint {
  part: 'lower' | 'upper'
  /** 0 to 1 of the way in this part, in steps of a hundredth. */
  share: number
}

/** Ends of a bar as shares of the cell, 0 to 1. */
export interface BarEnds {
  from: number
  to: number
  isNegative: boolean
}

export const iconLevels = ['low', 'medium', 'high'] as const
export type IconLevel = (typeof iconLevels)[number]

type Bounds = Pick<TableRule, 'lowValue' | 'middleValue' | 'highValue'>

/** A cell as a number; undefined for an empty one and for text. */
export function numberIn(cell: string): number | undefined {
  const value = cell.trim() === '' ? Number.NaN : Number(cell)
  return Number.isFinite(value) ? value : undefined
}

/** The range of the numbers of a column; undefined when it has none. */
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

/** Where a number is between the bounds of a colour scale; beyond them it counts as the nearer one. */
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

/** Where the bar of a number begins and ends: it starts at zero, or at the bound that is nearest to zero. */
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

/** Which of three icons a number has. */
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

/** Which share of the way from one number to another a number is, 0 to 1 in hundredths; 1 where there is no way. */
function shareOf(value: number, from: number, to: number): number {
  const share = from === to ? (value < from ? 0 : 1) : (value - from) / (to - from)
  return Math.round(Math.min(1, Math.max(0, share)) * 100) / 100
}
