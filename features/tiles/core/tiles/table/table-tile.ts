import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { newSeriesRange } from '../../series/series-range.ts'
import { kindTitles } from '../../common/automatic-title.ts'
import { condition, conditions } from '../../conditions/condition.ts'
import { colour, listOf, text } from '../../common/loose-fields.ts'

const flag = z.boolean().catch(false)
const looseText = z.union([z.string(), z.number()]).transform(String).catch('')

/** Styles of text in a table. */
export const textStyles = ['bold', 'normal', 'lighter'] as const
export const textAligns = ['left', 'center', 'right'] as const
export const sortOrders = ['Ascending', 'Descending'] as const
/** Where the cells of a column come from. */
export const columnTypes = ['text', 'dropdown', 'async', 'queryDropdown'] as const
export type ColumnType = (typeof columnTypes)[number]
/** What the row at the bottom tells of a column. */
export const footerValues = ['', 'Sum', 'Average', 'Minimum', 'Maximum', 'Count'] as const
export type FooterValue = (typeof footerValues)[number]
/** Rows that have looks of their own: the header, odd and even rows, the row at the bottom. */
export const rowIds = ['Header', 'Row 1', 'Row 2', 'Footer'] as const
export type RowId = (typeof rowIds)[number]
/** Rules for the first row, the last one, and all. */
export const rowTargets = ['ALL', 'FIRST', 'LAST'] as const
/** The column that tells the group of each series. */
export const groupColumnId = 'groupName'

/** A condition on the symbols that an async column looks up. */
export const asyncFilter = z.looseObject({
  name: text.describe('Name of a symbol key.'),
  value: looseText.describe('Its value; `*` = any; `{{Column}}` = what stands in that column of the row.'),
})
export type AsyncFilter = z.output<typeof asyncFilter>

/** One column of a table tile. What cannot be understood becomes the default. */
export const tableColumn = z.looseObject({
  columnId: z
    .string()
    .min(1)
    .describe('Name of the column in the data: a symbol key, Date or a value column.'),
  header: text.describe('Text of the header; empty = the name.'),
  hidden: z.boolean().catch(false).describe('Whether it is not shown.'),
  textAlign: z.enum(textAligns).optional().catch(undefined).describe('Absent = numbers right, text left.'),
  textStyle: z.enum(textStyles).catch('normal'),
  textColor: colour,
  bgColor: colour,
  fontSize: z
    .number()
    .min(8)
    .max(32)
    .optional()
    .catch(undefined)
    .describe('Pixels, 8 to 32; absent = as the page.'),
  unit: text.describe('Written with each number.'),
  unitOnFront: z.boolean().catch(false).describe('Whether the unit stands in front.'),
  columnWidth: z
    .number()
    .min(40)
    .max(1000)
    .optional()
    .catch(undefined)
    .describe('Pixels, 40 to 1000; absent = by content.'),
  isNumber: z.boolean().optional().catch(undefined).describe('Absent = what the data say.'),
  columnType: z
    .enum(columnTypes)
    .catch('text')
    .describe(
      'text: what the data say. dropdown: readers choose one of a list. queryDropdown: one they find by typing. ' +
        'async: the latest value of a series of the row. Default text.',
    ),
  columnDropdownGroupName: text.describe(
    'Group whose values a dropdown offers; empty = the values that the column has in the data.',
  ),
  columnDropdownKey: text.describe('Symbol key whose values are offered; empty = the id of the column.'),
  columnAsyncGroupName: text.describe('Group of the series that an async column looks up.'),
  columnAsyncColumn: text.describe('Value column it shows; empty = the id of the column.'),
  asyncFilters: listOf(asyncFilter).describe('Which series belongs to a row.'),
  footer: z.enum(footerValues).catch('').describe('What the row at the bottom tells of it; empty = nothing.'),
})
export type TableColumn = z.output<typeof tableColumn>

/** How a rule formats cells. */
export const ruleKinds = ['RULE', 'COLOR_SCALE', 'DATA_BAR', 'ICON_SET'] as const
export type RuleKind = (typeof ruleKinds)[number]
/** Icons for low, medium and high numbers; each has a different shape. */
export const iconSets = ['ARROWS', 'SIGNS', 'CIRCLES'] as const
export type IconSet = (typeof iconSets)[number]

const bound = z.number().optional().catch(undefined)

/** A rule that formats cells. What cannot be understood becomes the default. */
export const tableRule = z.looseObject({
  kind: z
    .enum(ruleKinds)
    .catch('RULE')
    .describe(
      'RULE: a look for cells whose value meets a condition. COLOR_SCALE: a background by how high a number is. ' +
        'DATA_BAR: a bar as long as the number. ICON_SET: one of three icons. Default RULE. ' +
        'All but RULE are for columns of numbers, and leave out the footer.',
    ),
  applyTo: z
    .string()
    .catch('ALL')
    .describe('Id of a column, `Header`, `Row 1`, `Row 2`, `Footer`, FIRST, LAST or ALL; default ALL.'),
  condition: condition.describe('RULE: the condition; an unknown one becomes `==`.'),
  conditionValueA: looseText.describe(
    'RULE: the value to compare with, or the lower one of two. For `regex` a pattern in RE2 syntax of at most 200 characters; ' +
      'one that cannot be used matches nothing. Default empty: never met.',
  ),
  conditionValueB: looseText.describe('RULE: the other value of `between` and `not between`.'),
  textColor: colour.describe(
    'RULE: `#rrggbb` or a token; absent = as the column. It is drawn so that its contrast is at least 4.5:1.',
  ),
  bgColor: colour.describe('RULE: `#rrggbb`, or a token, which is drawn as a tint; absent = as the column.'),
  textStyle: z.enum(textStyles).optional().catch(undefined).describe('RULE: absent = as the column.'),
  lowColor: colour.describe(
    'COLOR_SCALE: background of the lowest number; absent = none. DATA_BAR: bars below zero; absent = `--series-2`.',
  ),
  middleColor: colour.describe('COLOR_SCALE: background between the two; absent = a scale of two colours.'),
  highColor: colour.describe(
    'COLOR_SCALE: background of the highest number. DATA_BAR: bars above zero. Absent = `--series-1`.',
  ),
  lowValue: bound.describe(
    'COLOR_SCALE and DATA_BAR: where the scale begins; absent = the least number of the column, for bars at most 0. ' +
      'ICON_SET: lower numbers have the low icon; absent = a third of the way from the least to the greatest number.',
  ),
  middleValue: bound.describe('COLOR_SCALE: where the middle colour is; absent, or outside = halfway.'),
  highValue: bound.describe(
    'COLOR_SCALE and DATA_BAR: where the scale ends; absent = the greatest number of the column, for bars at least 0. ' +
      'ICON_SET: this and higher numbers have the high icon; absent = two thirds of the way.',
  ),
  iconSet: z.enum(iconSets).catch('ARROWS').describe('ICON_SET: default ARROWS.'),
  iconsReversed: flag.describe('ICON_SET: whether low numbers have the icon of high ones. Default false.'),
})
export type TableRule = z.output<typeof tableRule>

/** How the rows of one kind look. */
export const rowConfig = z.looseObject({
  id: z.enum(rowIds),
  align: z.enum(textAligns).optional().catch(undefined).describe('Absent = as each column.'),
  color: colour,
  style: z.enum(textStyles).catch('normal'),
  background: colour,
  fontSize: z.number().min(8).max(32).optional().catch(undefined).describe('Pixels, 8 to 32.'),
})
export type RowConfig = z.output<typeof rowConfig>

/** One line of the tooltip of a row. */
export const tooltipEntry = z.looseObject({
  value: z.string().min(1).describe('Id of the column whose cell it shows.'),
  label: text.describe('Words before it; empty = the header of the column.'),
  color: colour,
  showInTooltip: z.boolean().catch(true).describe('Whether it is shown, default true.'),
  condition: z
    .enum(conditions)
    .optional()
    .catch(undefined)
    .describe('Shown only where the cell meets it; absent = always.'),
  conditionValueA: looseText,
  conditionValueB: looseText,
})
export type TooltipEntry = z.output<typeof tooltipEntry>

/** What an action of the menu of a row does. */
export const menuActionTypes = ['previewDetails', 'scrollToTile'] as const

/** An action of the menu of a row. */
export const menuAction = z.looseObject({
  type: z
    .enum(menuActionTypes)
    .catch('previewDetails')
    .describe(
      'previewDetails: the tiles named show the series of the row, without tiles all cells of the row are shown. ' +
        'scrollToTile: scrolls to the first of the tiles.',
    ),
  label: text.describe('Its words in the menu; empty = what it does.'),
  tileIds: listOf(z.string().min(1)).describe('Ids of other tiles.'),
  scrollOnPreview: flag.describe('Whether a preview scrolls to the first of its tiles. Default false.'),
})
export type MenuAction = z.output<typeof menuAction>

const stayingCount = z.union([z.boolean().transform(Number), z.number().int().min(0).max(20)]).catch(0)

/** The fields of a table tile besides those of every tile. */
export const tableTile = z.looseObject({
  columns: listOf(tableColumn),
  sortingColumns: listOf(
    z.looseObject({
      id: z.string().optional(),
      columnName: z.string().min(1),
      sortOrder: z.enum(sortOrders).catch('Ascending'),
    }),
  ),
  conditionalFormatting: listOf(tableRule),
  rowConfigs: listOf(rowConfig).describe('How the header, odd and even rows and the footer look.'),
  stickyRows: stayingCount.describe('How many first rows stay while scrolling, 0 to 20.'),
  stickyColumns: stayingCount.describe('How many first columns stay while scrolling sideways, 0 to 20.'),
  showGroupName: flag.describe('Whether a first column tells the group of each series. Default false.'),
  dateFormat: text.describe('How dates are written, for example `dd.MM.yyyy HH:mm`; empty = 2026-01-31.'),
  tooltipConfig: listOf(tooltipEntry).describe('What the tooltip of a row tells.'),
  customActionsEnabled: flag.describe('Whether the menu of a row has the actions below. Default false.'),
  contextMenuActions: listOf(menuAction),
  cells: z
    .record(z.string(), z.record(z.string(), looseText))
    .catch({})
    .describe('What was chosen in columns with choices: by row, then by column.'),
})
export type TableTile = z.output<typeof tableTile>

/** A new table. */
export function newTableTile(id: string): Tile {
  return {
    id,
    type: 'Table',
    title: kindTitles.table,
    tileWidth: 'full',
    tileHeight: 'half',
    source: { type: 'DATA_PREP', value: id },
    ...newSeriesRange(),
    columns: [],
    sortingColumns: [],
    conditionalFormatting: [],
    rowConfigs: [],
    stickyRows: 0,
    stickyColumns: 0,
    tooltipConfig: [],
    customActionsEnabled: false,
    contextMenuActions: [],
  }
}
