import { useQuery } from '@tanstack/react-query'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import { useStoragePages } from '@headwater/accounts/web'
import { getFile, previewSeries, type SeriesPreview } from '@headwater/files/contract'
import {
  Button,
  call,
  countOf,
  ErrorState,
  Fact,
  Facts,
  formatNumber,
  links,
  routeKey,
  Skeleton,
  TextLink,
  Time,
  type ToolProps,
} from '@headwater/web-kit'
import { Centered, FileToolHeader } from '../components/FileContent.tsx'
import { PreviewGrid } from '../components/PreviewGrid.tsx'
import frame from '../components/Preview.module.css'
import styles from './NcsvPreview.module.css'

const kindNames = { symbol: 'Symbol', value: 'Value', metadata: 'Metadata' }
const typeNames = { string: 'text', double: 'number', integer: 'whole number', date: 'date' }

const isNumber = (type: string) => type === 'double' || type === 'integer'

/** Displays column types, first rows, symbols and dates of a series file. */
export default function NcsvPreviewTool({ id }: ToolProps) {
  const input = { params: { fid: id } }
  const file = useQuery({
    queryKey: routeKey(getFile, input),
    queryFn: ({ signal }) => call(getFile, input, { signal }),
    staleTime: 'static',
  })
  const preview = useQuery({
    queryKey: routeKey(previewSeries, input),
    queryFn: ({ signal }) => call(previewSeries, input, { signal }),
    staleTime: 'static',
  })
  const hasStoragePages = useStoragePages()
  const error = file.error ?? preview.error
  if (error !== null)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          void file.refetch()
          void preview.refetch()
        }}
      />
    )
  if (file.data === undefined || preview.data === undefined)
    return (
      <Centered>
        <Skeleton width={320} lines={8} />
      </Centered>
    )
  const { groupName } = file.data
  const [symbol] = preview.data.symbols
  return (
    <>
      <FileToolHeader file={file.data}>
        {symbol !== undefined && hasStoragePages ? (
          <Button
            variant="primary"
            href={links.symbols(groupName, { fileId: id, symbol })}
            icon={<IconChartLine size={16} stroke={1.6} />}
          >
            Show chart
          </Button>
        ) : null}
      </FileToolHeader>
      <Preview preview={preview.data} fileId={id} groupName={groupName} />
    </>
  )
}

function Preview({
  preview,
  fileId,
  groupName,
}: {
  preview: SeriesPreview
  fileId: string
  groupName: string
}) {
  const { columns, columnCount, rows, rowCount, symbols, symbolCount, isWhole, problem } = preview
  const hasStoragePages = useStoragePages()
  const least = isWhole ? '' : 'at least '
  const text = (symbol: Record<string, string>) => Object.values(symbol).join(' · ')
  return (
    <div className={frame.preview}>
      {problem === undefined ? null : (
        <p role="alert" className={frame.problem}>
          {problem}
        </p>
      )}
      <Facts>
        <Fact name="Rows">
          {least}
          {formatNumber(rowCount)}
        </Fact>
        <Fact name="Dates">
          {preview.firstDate === undefined ? (
            'None'
          ) : (
            <>
              <Time value={preview.firstDate} show="date" timeZone="UTC" /> to{' '}
              <Time value={preview.lastDate ?? null} show="date" timeZone="UTC" />
              {isWhole ? '' : ' in the first 32 MiB'}
            </>
          )}
        </Fact>
        {preview.timezone === undefined ? null : <Fact name="Time zone">{preview.timezone}</Fact>}
        <Fact name="Symbols">
          {least}
          {formatNumber(symbolCount)}
        </Fact>
      </Facts>
      <ul className={styles.symbols} aria-label="Symbols">
        {symbols.map((symbol) => (
          <li key={JSON.stringify(symbol)}>
            {hasStoragePages ? (
              <TextLink href={links.symbols(groupName, { fileId, symbol })}>{text(symbol)}</TextLink>
            ) : (
              text(symbol)
            )}
          </li>
        ))}
        {symbolCount > symbols.length ? (
          <li>and {countOf(symbolCount - symbols.length, 'more symbol')}</li>
        ) : null}
      </ul>
      <PreviewGrid
        numbers="Line"
        columns={columns.map(({ name, kind, type }) => ({
          name,
          type:
            (kind === 'date' ? '' : kindNames[kind]) +
            (kind === 'value' || kind === 'metadata' ? `: ${typeNames[type]}` : ''),
          isNumber: isNumber(type),
        }))}
        moreColumns={columnCount - columns.length}
        rows={rows.map(({ line, cells }) => ({ number: line, cells }))}
      />
      {rowCount > rows.length ? (
        <p className={frame.note}>The first {countOf(rows.length, 'row')} of the file.</p>
      ) : null}
    </div>
  )
}
