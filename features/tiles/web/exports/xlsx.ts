import writeExcelFile from 'write-excel-file/browser'
import type { CellObject, SheetData } from 'write-excel-file/browser'
import { maxCellCharacters, maxSheetRows } from '@headwater/tile-data/core'
import { iconCharacters } from '../cells/CellIcon.tsx'
import type { CellLook, ExportColumn, ExportTable } from './export-table.ts'
import { paperColor } from './paper-color.ts'

/** A sheet of a workbook. */
export interface XlsxSheet {
  /** Name. The writer makes it valid and unique. */
  name: string
  /** Its content. */
  table: ExportTable
}

/** Limit of the format. */
const maxNameCharacters = 31
/** Widths of columns in characters. */
const widths = { least: 8, most: 60 } as const
/** Number of rows that determine the width of a column. */
const sampleRows = 200

/** Media type of XLSX. */
const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/**
 * Creates a workbook with one sheet for each table. Text always stays text, even if it looks like a formula. Rows
 * beyond the limit of the format are omitted and longer texts are truncated; `sheetOmission` returns the note about
 * them.
 */
export async function xlsxOf(sheets: readonly XlsxSheet[]): Promise<Blob> {
  const names = sheetNames(sheets.map(({ name }) => name))
  const made = sheets.map(({ table }, index) => ({
    sheet: names[index]!,
    data: dataOf(table),
    columns: table.columns.map((column, at) => ({ width: widthOf(table, column, at) })),
    stickyRowsCount: 1,
  }))
  const blob = await writeExcelFile(made, { fontFamily: 'Calibri', fontSize: 11 }).toBlob()
  return new Blob([blob], { type: xlsxType })
}

/** Returns valid sheet names: without forbidden characters, at most 31 characters, unique ignoring case. */
export function sheetNames(wanted: readonly string[]): string[] {
  const taken = new Set<string>(['history'])
  return wanted.map((name) => {
    const base = cut(
      name
        .replace(/[[\]:*?/\\]/g, ' ')
        .replace(/^'+|'+$/g, '')
        .trim() || 'Sheet',
      maxNameCharacters,
    )
    let free = base
    for (let number = 2; taken.has(free.toLowerCase()); number++) {
      const suffix = ` (${number})`
      free = `${cut(base, maxNameCharacters - suffix.length)}${suffix}`
    }
    taken.add(free.toLowerCase())
    return free
  })
}

/** Truncates a string without splitting a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\ud800-\udbff]$/, '')
}

function dataOf({ columns, rows, looks }: ExportTable): SheetData {
  const head = columns.map(({ name, kind }): CellObject => ({
    value: cellText(name),
    type: String,
    fontWeight: 'bold',
    backgroundColor: '#f0f2f4',
    ...(kind === 'number' ? { align: 'right' as const } : {}),
  }))
  const body = rows.slice(0, maxSheetRows).map((row, position) =>
    row.map((value, at) => {
      const cell = cellOf(value, columns[at]!)
      const look = looks?.(position, at)
      return cell && { ...cell, ...styleOf(look), ...iconFormat(cell, look) }
    }),
  )
  return [head, ...body]
}

function styleOf(look: CellLook | undefined): Partial<CellObject> {
  if (look === undefined) return {}
  const textColor = look.color === undefined ? undefined : paperColor(look.color)
  const backgroundColor = look.background === undefined ? undefined : paperColor(look.background)
  return {
    ...(textColor === undefined ? {} : { textColor }),
    ...(backgroundColor === undefined ? {} : { backgroundColor }),
    ...(look.isBold ? { fontWeight: 'bold' as const } : {}),
  }
}

/** The icon is part of the number format, so that the cell stays a number. */
function iconFormat(
  { value, format = 'General' }: CellObject,
  look: CellLook | undefined,
): { format?: string } {
  if (look?.icon === undefined || typeof value !== 'number') return {}
  const { set, shape } = look.icon
  return { format: `"${iconCharacters[set][shape]} "${format}` }
}

function cellOf(value: string | number | null, column: ExportColumn): CellObject | null {
  if (value === null || value === '') return null
  if (typeof value === 'number')
    return Number.isFinite(value) ? { value, type: Number, ...numberFormat(column) } : null
  const time = column.kind === 'time' ? timeOf(value) : undefined
  if (time !== undefined) return time
  return { value: cellText(value), type: String }
}

function numberFormat({ decimals }: ExportColumn): { format?: string } {
  if (decimals === undefined) return {}
  return { format: decimals === 0 ? '#,##0' : `#,##0.${'0'.repeat(decimals)}` }
}

/** Workbooks support dates from 1900; earlier times stay text. */
function timeOf(text: string): CellObject | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(T[\d:.]+)?$/.test(text) || text < '1900-03-01') return undefined
  const value = new Date(`${text.length === 10 ? `${text}T00:00:00` : text}Z`)
  if (Number.isNaN(value.getTime())) return undefined
  const isDay = /^[^T]*(T00:00(:00(\.0+)?)?)?$/.test(text)
  return { value, type: Date, format: isDay ? 'yyyy-mm-dd' : 'yyyy-mm-dd hh:mm:ss' }
}

/** Removes characters that XML does not allow and truncates the text to the limit of a cell. */
function cellText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are omitted
  const clean = text.toWellFormed().replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
  return cut(clean, maxCellCharacters)
}

function widthOf({ rows }: ExportTable, { name, kind }: ExportColumn, at: number): number {
  if (kind === 'time') return 19
  const longest = rows
    .slice(0, sampleRows)
    .reduce((known, row) => Math.max(known, String(row[at] ?? '').length), name.length)
  return Math.min(widths.most, Math.max(widths.least, longest + 2))
}
