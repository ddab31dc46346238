import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  getFile,
  maxTableCellLength,
  previewTable,
  type File,
  type TablePreview,
} from '@headwater/files/contract'
import {
  call,
  ErrorState,
  Fact,
  Facts,
  formatNumber,
  routeKey,
  Select,
  type ToolProps,
} from '@headwater/web-kit'
import { FileToolHeader, isLargeFile, LargeFile, Loading } from '../components/FileContent.tsx'
import { PreviewGrid } from '../components/PreviewGrid.tsx'
import frame from '../components/Preview.module.css'
import styles from './TablePreview.module.css'
import { omittedParts } from './omitted-parts.ts'

const typeNames: Readonly<Record<TablePreview['columns'][number]['type'], string>> = {
  text: 'text',
  integer: 'whole number',
  number: 'number',
  decimal: 'decimal number',
  boolean: 'true or false',
  date: 'date',
  timestamp: 'date and time',
  time: 'time',
  mixed: 'several types',
  empty: 'empty',
}
const numberTypes: ReadonlySet<string> = new Set(['integer', 'number', 'decimal'])

/** Displays column types and first rows of an XLSX or Parquet file. */
export default function TablePreviewTool({ id }: ToolProps) {
  const [isWanted, setWanted] = useState(false)
  const input = { params: { fid: id } }
  const file = useQuery({
    queryKey: routeKey(getFile, input),
    queryFn: ({ signal }) => call(getFile, input, { signal }),
    staleTime: 'static',
  })
  if (file.data === undefined)
    return file.error === null ? (
      <Loading text="Loading the file" />
    ) : (
      <ErrorState error={file.error} onRetry={() => void file.refetch()} />
    )
  if (isLargeFile(file.data) && !isWanted)
    return <LargeFile file={file.data} onShow={() => setWanted(true)} />
  return <Table file={file.data} />
}

function usePreview(fid: string, sheet: number) {
  const input = { params: { fid }, query: { sheet } }
  return useQuery({
    queryKey: routeKey(previewTable, input),
    queryFn: ({ signal }) => call(previewTable, input, { signal }),
    staleTime: 'static',
  })
}

function Table({ file }: { file: File }) {
  const [sheet, setSheet] = useState(1)
  const first = usePreview(file.fid, 1)
  const chosen = usePreview(file.fid, sheet)
  const sheets = first.data?.sheets ?? []
  return (
    <>
      <FileToolHeader file={file} />
      {sheets.length > 1 ? (
        <div className={styles.sheets}>
          <Select
            label="Sheet"
            value={String(sheet)}
            onChange={(value) => setSheet(Number(value))}
            options={sheets.map((name, index) => ({ value: String(index + 1), label: name }))}
            hint={
              first.data!.sheetCount > sheets.length
                ? `The first ${sheets.length} of ${formatNumber(first.data!.sheetCount)} sheets.`
                : undefined
            }
          />
        </div>
      ) : null}
      {chosen.data !== undefined ? (
        <Preview preview={chosen.data} />
      ) : chosen.error === null ? (
        <Loading text="Reading the first rows" />
      ) : (
        <ErrorState error={chosen.error} onRetry={() => void chosen.refetch()} />
      )}
    </>
  )
}

function Preview({ preview }: { preview: TablePreview }) {
  const { format, sheets, columns, columnCount, columnsWithoutText, rows, rowCount, isRowCountExact } =
    preview
  const omitted = omittedParts(preview, maxTableCellLength)
  return (
    <div className={frame.preview}>
      {preview.problem === undefined ? null : (
        <p role="alert" className={frame.problem}>
          {preview.problem}
        </p>
      )}
      <Facts>
        {sheets.length === 1 ? <Fact name="Sheet">{sheets[0]}</Fact> : null}
        <Fact name="Rows">
          {isRowCountExact ? '' : 'at least '}
          {formatNumber(rowCount)}
        </Fact>
        <Fact name="Columns">{formatNumber(columnCount)}</Fact>
      </Facts>
      {omitted.length === 0 ? null : (
        <ul className={styles.omitted} aria-label="Not displayed">
          {omitted.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      )}
      {columns.length === 0 ? (
        <p className={frame.note}>
          {format === 'XLSX' ? 'The sheet has no values.' : 'No column contains text.'}
        </p>
      ) : (
        <PreviewGrid
          numbers="Row"
          columns={columns.map(({ name, type }) => ({
            name,
            type: typeNames[type],
            isNumber: numberTypes.has(type),
          }))}
          moreColumns={columnCount - columns.length - columnsWithoutText.length}
          rows={rows}
          emptyCell={format === 'Parquet' ? 'null' : ''}
        />
      )}
    </div>
  )
}
