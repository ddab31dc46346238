import type { CSSProperties } from 'react'
import { meets } from '../../../contract/tiles/condition.ts'
import type {
  RowConfig,
  RowId,
  TableColumn,
  TableRule,
  TableTile,
} from '../../../contract/tiles/table/table-tile.ts'

/** Where a cell stands. */
export interface CellPlace {
  columnId: string
  /** Place of its row as it is shown, from 0; -1 for the row at the bottom. */
  row: number
  /** How many rows there are. */
  rows: number
}

/** Whether a rule is about a cell: of its column, of its kind of row, of the first or last row, or of all but the footer. */
export function isAbout(
  { applyTo }: Pick<TableRule, 'applyTo'>,
  { columnId, row, rows }: CellPlace,
): boolean {
  const isFooter = row === -1
  switch (applyTo) {
    case 'ALL':
      return !isFooter
    case 'FIRST':
      return row === 0
    case 'LAST':
      return !isFooter && row === rows - 1
    case 'Row 1':
      return !isFooter && row % 2 === 0
    case 'Row 2':
      return !isFooter && row % 2 === 1
    case 'Footer':
      return isFooter
    default:
      return !isFooter && applyTo === columnId
  }
}

const weights = { bold: 600, normal: undefined, lighter: 300 }

/** How a cell looks: as its column says, and as the rules say that its value meets; the last rule wins. */
export function cellStyle(
  settings: TableColumn,
  rules: readonly TableRule[],
  value: string,
  place: CellPlace,
): CSSProperties | undefined {
  const style: CSSProperties = {
    color: cssColour(settings.textColor),
    backgroundColor: cssColour(settings.bgColor),
    fontWeight: weights[settings.textStyle],
    fontSize: settings.fontSize,
  }
  for (const rule of rules) {
    if (!isAbout(rule, place)) continue
    if (!meets(value, rule.condition, rule.conditionValueA, rule.conditionValueB)) continue
    if (rule.textColor) style.color = cssColour(rule.textColor)
    if (rule.textStyle) style.fontWeight = weights[rule.textStyle]
    if (rule.condition === 'for every different value') style.backgroundColor = colourOfValue(value)
    else if (rule.bgColor) style.backgroundColor = cssColour(rule.bgColor)
  }
  return style
}

/** How the rows of one kind look; undefined when nothing is set. */
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

/** How a kind of row is aligned; undefined = as each column. */
export function rowAlign({ rowConfigs }: Pick<TableTile, 'rowConfigs'>, id: RowId): RowConfig['align'] {
  return rowConfigs.find((each) => each.id === id)?.align
}

/** A quiet background of the series colours, the same for the same value. */
function colourOfValue(value: string): string | undefined {
  if (value === '') return undefined
  let hash = 0
  for (const letter of value) hash = (hash * 31 + letter.codePointAt(0)!) >>> 0
  return `color-mix(in srgb, var(--series-${(hash % 8) + 1}) 18%, transparent)`
}

/** A stored colour as CSS. */
export function cssColour(colour: string | undefined): string | undefined {
  return colour?.startsWith('--') ? `var(${colour})` : colour
}
