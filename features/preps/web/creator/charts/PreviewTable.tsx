import { useMemo } from 'react'
import { createPortal } from 'react-dom'
import {
  type Column,
  countOf,
  DataTable,
  EmptyState,
  formatNumber,
  formatTimestamp,
  hasTimeOfDay,
} from '@headwater/web-kit'
import { draftProblem, type PrepDraft } from '../draft.ts'
import { type PreviewTable as Preview, usePausedDraft, usePreviewTable } from '../preview-client.ts'
import { usePreviewNoteTarget } from './preview-note.ts'

/** Maximum number of visible columns; the file has all. */
const maxColumns = 60
/** A number without an exponent: its whole part and its decimals. */
const plainNumber = /^(-?\d+)(?:\.(\d+))?$/

/** Table with the first rows of the result, in the order and layout of the file. Dates and numbers are formatted. */
export function PreviewTable({ draft }: { draft: PrepDraft }) {
  const paused = usePausedDraft(draft)
  const problem = draftProblem(paused)
  const preview = usePreviewTable(paused, { enabled: problem === undefined })
  const noteTarget = usePreviewNoteTarget()
  const { data } = preview
  const columns = useMemo(() => (data === undefined ? [] : columnsOf(data)), [data])
  const rows = useMemo(() => data?.rows.map((_, index) => index), [data])
  if (problem !== undefined) return <EmptyState title="No preview yet">{problem}</EmptyState>
  return (
    <>
      <DataTable
        label="Preview"
        columns={columns}
        rows={rows}
        rowKey={String}
        error={preview.error}
        onRetry={() => void preview.refetch()}
        empty={
          <EmptyState title="No values in this range">
            The symbols in the basket have no values in this range. Choose another range.
          </EmptyState>
        }
      />
      {noteTarget === null || data === undefined
        ? null
        : createPortal(<span>{noteOf(data)}</span>, noteTarget)}
    </>
  )
}

function noteOf({ header, rows, isWhole, tookMs }: Preview): string {
  const rowText = isWhole ? `All ${countOf(rows.length, 'row')}` : `First ${countOf(rows.length, 'row')}`
  const columns =
    header.length > maxColumns ? ` · ${maxColumns} of ${formatNumber(header.length)} columns` : ''
  return `${rowText}${columns} · ${formatNumber(Math.round(tookMs))} ms`
}

function columnsOf({ header, rows }: Preview): Column<number>[] {
  return header.slice(0, maxColumns).map((name, at) => {
    const cells = rows.map((row) => row[at] ?? '')
    const isNumeric =
      cells.some((cell) => cell !== '') && cells.every((cell) => /^(-?\d[\d.eE+-]*)?$/.test(cell))
    const isDate = name.startsWith('Date(')
    const format = isNumeric && !isDate ? numberFormatOf(cells) : timestampFormatOf(cells)
    const text = (row: number) => format(cells[row] ?? '')
    const widest = cells.slice(0, 50).reduce((most, cell) => Math.max(most, format(cell).length), name.length)
    return {
      id: String(at),
      header: name,
      width: `minmax(${Math.min(240, Math.max(72, widest * 7 + 8))}px, 1fr)`,
      ...(isNumeric && !isDate ? { align: 'end' as const } : {}),
      text,
      cell: (row) => (text(row) === '' ? '·' : text(row)),
    }
  })
}

/** Returns a format with the same number of decimals for a column. */
function numberFormatOf(cells: readonly string[]): (cell: string) => string {
  const decimals = cells.reduce((most, cell) => Math.max(most, plainNumber.exec(cell)?.[2]?.length ?? 0), 0)
  return (cell) => {
    const [, whole, fraction = ''] = plainNumber.exec(cell) ?? []
    return whole === undefined || decimals === 0 ? cell : `${whole}.${fraction.padEnd(decimals, '0')}`
  }
}

/** Returns a timestamp format for a column, without a time of day if no cell has one. */
function timestampFormatOf(cells: readonly string[]): (cell: string) => string {
  const keepsMidnight = cells.some(hasTimeOfDay)
  return (cell) => formatTimestamp(cell, { keepsMidnight })
}
