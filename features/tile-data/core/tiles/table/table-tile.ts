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
/** Alignments of text. */
export const textAligns = ['left', 'center', 'right'] as const
/** Sort orders, as stored. */
const sortOrders = ['Ascending', 'Descending'] as const
/** Types of columns by the source of their cells. */
export const columnTypes = ['text', 'dropdown', 'async', 'queryDropdown'] as const
/** One of {@link columnTypes}. */
export type ColumnType = (typeof columnTypes)[number]
/** Values in the footer of a column; empty if there is none. */
export const footerValues = ['', 'Sum', 'Average', 'Minimum', 'Maximum', 'Count'] as const
/** One of {@link footerValues}. */
export type FooterValue = (typeof footerValues)[number]
/** Rows with separate styles: header, odd rows, even rows, footer. */
export const rowIds = ['Header', 'Row 1', 'Row 2', 'Footer'] as const
/** One of {@link rowIds}. */
export type RowId = (typeof rowIds)[number]
/** Targets of rules: all rows, the first row, the last row. */
export const rowTargets = ['ALL', 'FIRST', 'LAST'] as const
/** Id of the column with the group of each row. */
export const groupColumnId = 'groupName'

/** A filter on the symbols that an async column looks up. */
export const asyncFilter = z.looseObject({
  name: text.describe('Name of a symbol key.'),
  value: looseText.describe('Its value; `*` = any; `{{Column}}` = the cell of that column in the row.'),
})
/** A parsed {@link asyncFilter}. */
export type AsyncFilter = z.output<typeof asyncFilter>

/** A column of a table tile. Invalid values become the default. */
export const tableColumn = z.looseObject({
  columnId: z
    .string()
    .min(1)
    .describe('Name of the column in the data: a symbol key, Date or a value column.'),
  header: text.describe('Text of the header; empty means the name.'),
  hidden: z.boolean().catch(false).describe('Whether the column is hidden. Default false.'),
  textAlign: z
    .enum(textAligns)
    .optional()
    .catch(undefined)
    .describe('Alignment. Default: numbers right, text left.'),
  textStyle: z.enum(textStyles).catch('normal'),
  textColor: colour,
  bgColor: colour,
  fontSize: z
    .number()
    .min(8)
    .max(32)
    .optional()
    .catch(undefined)
    .describe('Font size in pixels, 8 to 32. Default: the size of the page.'),
  unit: text.describe('Unit of each number.'),
  unitOnFront: z.boolean().catch(false).describe('Whether the unit precedes the number. Default false.'),
  columnWidth: z
    .number()
    .min(40)
    .max(1000)
    .optional()
    .catch(undefined)
    .describe('Width in pixels, 40 to 1000. Default: by content.'),
  isNumber: z
    .boolean()
    .optional()
    .catch(undefined)
    .describe('Whether the column contains numbers. Default: as in the data.'),
  columnType: z
    .enum(columnTypes)
    .catch('text')
    .describe(
      'text: the data. dropdown: readers choose from a list. queryDropdown: readers search by typing. ' +
        'async: the latest value of a series of the row. Default text.',
    ),
  columnDropdownGroupName: text.describe(
    'Group whose values a dropdown offers; empty means the values of the column in the data.',
  ),
  columnDropdownKey: text.describe('Symbol key whose values are offered; empty means the id of the column.'),
  columnAsyncGroupName: text.describe('Group of the series that an async column looks up.'),
  columnAsyncColumn: text.describe('Value column to display; empty means the id of the column.'),
  asyncFilters: listOf(asyncFilter).describe('Filters that select the series of a row.'),
  footer: z.enum(footerValues).catch('').describe('Value in the footer; empty if there is none.'),
})
/** A parsed {@link tableColumn}. */
export type TableColumn = z.output<typeof tableColumn>

/** Formats of a rule. */
const ruleKinds = ['RULE', 'COLOR_SCALE', 'DATA_BAR', 'ICON_SET'] as const
/** One of {@link ruleKinds}. */
export type RuleKind = (typeof ruleKinds)[number]
/** Icons for low, medium and high numbers; each has a different shape. */
const iconSets = ['ARROWS', 'SIGNS', 'CIRCLES'] as const
/** One of {@link iconSets}. */
export type IconSet = (typeof iconSets)[number]

const bound = z.number().optional().catch(undefined)

/** A rule that formats cells. Invalid values become the default. */
export const tableRule = z.looseObject({
  kind: z
    .enum(ruleKinds)
    .catch('RULE')
    .describe(
      'RULE: a style for cells whose value meets a condition. COLOR_SCALE: a background that depends on the number. ' +
        'DATA_BAR: a bar with a length proportional to the number. ICON_SET: one of three icons. Default RULE. ' +
        'All types except RULE apply to numeric columns only and omit the footer.',
    ),
  applyTo: z
    .string()
    .catch('ALL')
    .describe('Id of a column, `Header`, `Row 1`, `Row 2`, `Footer`, FIRST, LAST or ALL; default ALL.'),
  condition: condition.describe('RULE: the condition; an unknown one becomes `==`.'),
  conditionValueA: looseText.describe(
    'RULE: the value to compare with, or the lower one of two. For `regex`, a pattern in RE2 syntax with at most 200 characters; ' +
      'an invalid pattern matches nothing. Default: empty, which is never met.',
  ),
  conditionValueB: looseText.describe('RULE: the other value of `between` and `not between`.'),
  textColor: colour.describe(
    'RULE: `#rrggbb` or a token. Default: the colour of the column. The displayed colour is adjusted to a contrast of at least 4.5:1.',
  ),
  bgColor: colour.describe(
    'RULE: `#rrggbb`, or a token, which is displayed as a tint. Default: the colour of the column.',
  ),
  textStyle: z
    .enum(textStyles)
    .optional()
    .catch(undefined)
    .describe('RULE: style of the text. Default: the style of the column.'),
  lowColor: colour.describe(
    'COLOR_SCALE: background of the lowest number. Default: none. DATA_BAR: bars below zero. Default: `--series-2`.',
  ),
  middleColor: colour.describe('COLOR_SCALE: background of the middle. Default: a scale with two colours.'),
  highColor: colour.describe(
    'COLOR_SCALE: background of the highest number. DATA_BAR: bars above zero. Absent = `--series-1`.',
  ),
  lowValue: bound.describe(
    'COLOR_SCALE and DATA_BAR: start of the scale. Default: the smallest number of the column, for bars at most 0. ' +
      'ICON_SET: numbers below this have the low icon. Default: one third of the way from the smallest to the largest number.',
  ),
  middleValue: bound.describe(
    'COLOR_SCALE: position of the middle colour; absent or outside the scale = halfway.',
  ),
  highValue: bound.describe(
    'COLOR_SCALE and DATA_BAR: end of the scale. Default: the largest number of the column, for bars at least 0. ' +
      'ICON_SET: numbers from this on have the high icon. Default: two thirds of the way.',
  ),
  iconSet: z.enum(iconSets).catch('ARROWS').describe('ICON_SET: default ARROWS.'),
  iconsReversed: flag.describe('ICON_SET: whether the icons are reversed. Default false.'),
})
/** A parsed {@link tableRule}. */
export type TableRule = z.output<typeof tableRule>

/** Style of one kind of rows. */
export const rowConfig = z.looseObject({
  id: z.enum(rowIds),
  align: z
    .enum(textAligns)
    .optional()
    .catch(undefined)
    .describe('Alignment of the cells. Default: the alignment of each column.'),
  color: colour,
  style: z.enum(textStyles).catch('normal'),
  background: colour,
  fontSize: z.number().min(8).max(32).optional().catch(undefined).describe('Pixels, 8 to 32.'),
})
/** A parsed {@link rowConfig}. */
export type RowConfig = z.output<typeof rowConfig>

/** A line of the tooltip of a row. */
export const tooltipEntry = z.looseObject({
  value: z.string().min(1).describe('Id of the column whose cell is displayed.'),
  label: text.describe('Label before the cell; empty means the header of the column.'),
  color: colour,
  showInTooltip: z.boolean().catch(true).describe('Whether the line is visible, default true.'),
  condition: z
    .enum(conditions)
    .optional()
    .catch(undefined)
    .describe('Condition on the cell under which the line is visible. Default: always visible.'),
  conditionValueA: looseText,
  conditionValueB: looseText,
})
/** A parsed {@link tooltipEntry}. */
export type TooltipEntry = z.output<typeof tooltipEntry>

/** Types of actions in the menu of a row. */
const menuActionTypes = ['previewDetails', 'scrollToTile'] as const

/** An action of the menu of a row. */
export const menuAction = z.looseObject({
  type: z
    .enum(menuActionTypes)
    .catch('previewDetails')
    .describe(
      'previewDetails: the tiles show the series of the row. ' +
        'scrollToTile: scrolls to the first of the tiles.',
    ),
  label: text.describe('Text in the menu; empty means the default text of the type.'),
  tileIds: listOf(z.string().min(1)).describe('Ids of other tiles.'),
  scrollOnPreview: flag.describe('Whether a preview scrolls to the first of its tiles. Default false.'),
})
/** A parsed {@link menuAction}. */
export type MenuAction = z.output<typeof menuAction>

const stayingCount = z.union([z.boolean().transform(Number), z.number().int().min(0).max(20)]).catch(0)

/** The fields of a table tile in addition to {@link commonTile}. */
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
  rowConfigs: listOf(rowConfig).describe('Styles of header, odd rows, even rows and footer.'),
  stickyRows: stayingCount.describe('Number of frozen rows, 0 to 20.'),
  stickyColumns: stayingCount.describe('Number of frozen columns, 0 to 20.'),
  showGroupName: flag.describe('Whether the first column is the group of each row. Default false.'),
  dateFormat: text.describe('Date format, for example `dd.MM.yyyy HH:mm`; empty = 2026-01-31.'),
  tooltipConfig: listOf(tooltipEntry).describe('Lines of the tooltip of a row.'),
  customActionsEnabled: flag.describe('Whether the menu of a row has custom actions. Default false.'),
  contextMenuActions: listOf(menuAction),
  cells: z
    .record(z.string(), z.record(z.string(), looseText))
    .catch({})
    .describe('Chosen cells: by row, then by column.'),
})
/** A parsed {@link tableTile}. */
export type TableTile = z.output<typeof tableTile>

/** Creates a table tile. */
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
