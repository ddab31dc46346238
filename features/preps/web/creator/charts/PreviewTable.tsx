import { useMemo } from 'react'
import { createPortal } from 'react-dom'
import { type Column, countOf, DataTable, EmptyState, formatNumber } from '@headwater/web-kit'
import { entryProblem } from '../basket.ts'
import type { PrepDraft } from '../draft.ts'
import { type PreviewTable as Preview, usePausedDraft, usePreviewTable } from '../preview-client.ts'
import { usePreviewPlace } from './preview-place.ts'

/** Most columns that are shown; the file has all. */
const maxColumns = 60

/** The first rows of the answer, as the file will have them. */
export function PreviewTable({ draft }: { draft: PrepDraft }) {
  const asked = usePausedDraft(draft)
  const problem = draftProblem(asked)
  const preview = usePreviewTable(asked, { enabled: problem === undefined })
  const place = usePreviewPlace()
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
      {place === null || data === undefined ? null : createPortal(<span>{noteOf(data)}</span>, place)}
    </>
  )
}

/** What has to be mended before the draft can be asked for. */
export function draftProblem({ basket, settings }: PrepDraft): string | undefined {
  if (basket.length === 0) return 'The basket is empty.'
  const problems = basket.flatMap(({ entry }) => entryProblem(entry, settings.dataGroupName) ?? [])
  if (problems.length === 0) return undefined
  return `${countOf(problems.length, 'entry', 'entries')} of the basket cannot be queried: ${problems[0]}`
}

function noteOf({ header, rows, isWhole, tookMs }: Preview): string {
  const shown = isWhole ? `All ${countOf(rows.length, 'row')}` : `First ${countOf(rows.length, 'row')}`
  const columns =
    header.length > maxColumns ? ` · ${maxColumns} of ${formatNumber(header.length)} columns` : ''
  return `${shown}${columns} · ${formatNumber(Math.round(tookMs))} ms`
}

function columnsOf({ header, rows }: Preview): Column<number>[] {
  return header.slice(0, maxColumns).map((name, at) => {
    const isNumeric =
      rows.some((row) => row[at] !== '') && rows.every((row) => /^(-?\d[\d.eE+-]*)?$/.test(row[at] ?? ''))
    const isDate = name.startsWith('Date(')
    const text = (row: number) => rows[row]?.[at] ?? ''
    const widest = rows.slice(0, 50).reduce((most, row) => Math.max(most, row[at]?.length ?? 0), name.length)
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
