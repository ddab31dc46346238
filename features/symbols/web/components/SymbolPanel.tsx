import { useMemo, useState } from 'react'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconPencil from '@tabler/icons-react/dist/esm/icons/IconPencil.mjs'
import IconTable from '@tabler/icons-react/dist/esm/icons/IconTable.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { automaticAxes, type ChartSpec } from '@headwater/charts/values'
import { useCan } from '@headwater/accounts/web'
import { useWritableGroups } from '@headwater/groups/web'
import {
  Button,
  type Column,
  copyText,
  DataTable,
  DetailsPanel,
  EmptyState,
  ErrorState,
  Fact,
  Facts,
  formatNumber,
  GroupLink,
  links,
  saveBlob,
  Select,
  sharedDecimals,
  Skeleton,
  Time,
  toastError,
} from '@headwater/web-kit'
import { formatSymbolParameter, type SymbolItem, type ValueColumn } from '../../contract/index.ts'
import {
  chartQuery,
  downloadQuery,
  initialRange,
  pointRanges,
  previewRows,
  tableQuery,
  type PointRange,
} from '../point-ranges.ts'
import { newPrepHref } from '../prep-links.ts'
import { symbolText } from '../symbol-text.ts'
import { downloadData, usePoints, useSymbol, type SymbolPoints } from '../symbols-client.ts'
import { addressOf, type SymbolAddress } from '../use-storage-state.ts'
import { ColumnsPopover } from './ColumnsPopover.tsx'
import { FormulaFacts } from './FormulaFacts.tsx'
import { QueryMenu } from './QueryMenu.tsx'
import { RemoveSymbolsDialog } from './RemoveSymbolsDialog.tsx'
import { SymbolChart } from './SymbolChart.tsx'
import styles from './SymbolPanel.module.css'

/** Maximum number of lines in the chart. */
const maxLines = 8
/** Maximum number of decimals in the table. */
const maxDecimals = 6
/** Width of a column without values in the visible range. */
const emptyColumnPx = 44
/** Number of characters of a formatted date. */
const dateLength = 10

// Dates stay in UTC: a daily price must not move to the previous evening for a reader in New York.
const timeZone = 'UTC'

/** Preview of a symbol: keys, metadata, and values of a range as chart and table. */
export function SymbolPanel({ address, onClose }: { address: SymbolAddress; onClose: () => void }) {
  const { data: symbol, error, refetch } = useSymbol(address)
  const title = Object.values(address.symbols).join(' · ')
  return (
    <DetailsPanel
      id={`${address.groupName} ${symbolText(address.symbols)}`}
      label={`Preview of ${symbolText(address.symbols)}`}
      title={title}
      onClose={onClose}
      closeLabel="Close preview"
    >
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {symbol === undefined && !error ? <Skeleton lines={8} /> : null}
      {symbol === null ? (
        <EmptyState title="Symbol not found">
          It may have been removed, or it is in a group that you cannot read.
        </EmptyState>
      ) : null}
      {symbol ? (
        <SymbolDetails key={symbolText(address.symbols)} symbol={symbol} onRemoved={onClose} />
      ) : null}
    </DetailsPanel>
  )
}

function SymbolDetails({ symbol, onRemoved }: { symbol: SymbolItem; onRemoved: () => void }) {
  const [range, setRange] = useState(() => initialRange(symbol))
  const [hidden, setHidden] = useState<readonly string[]>([])
  const columns = symbol.columns.filter(({ name }) => !hidden.includes(name))
  const facts = [...Object.entries(symbol.symbols), ...Object.entries(symbol.metadata)]
  return (
    <>
      <SymbolActions symbol={symbol} range={range} columns={columns} onRemoved={onRemoved} />
      <Facts>
        <Fact name="Group">
          <GroupLink href={links.symbols(symbol.groupName)}>{symbol.groupName}</GroupLink>
        </Fact>
        {facts.map(([name, value], index) => (
          // A key and a metadata column may have the same name.
          <Fact key={index} name={name}>
            {value}
          </Fact>
        ))}
        {symbol.firstDate === undefined ? null : (
          <Fact name="Points">
            {formatNumber(symbol.pointCount ?? 0)},{' '}
            <Time value={symbol.firstDate} show="date" timeZone="UTC" /> to{' '}
            <Time value={symbol.lastDate ?? null} show="date" timeZone="UTC" />
          </Fact>
        )}
      </Facts>
      {symbol.formula ? <FormulaFacts address={addressOf(symbol)} /> : null}
      {symbol.firstDate === undefined && !symbol.formula ? (
        <EmptyState title="No values yet">Values appear when a file with this symbol is uploaded.</EmptyState>
      ) : (
        <>
          <div className={styles.choices}>
            <Select
              label="Range"
              hideLabel
              value={range}
              onChange={(value) => setRange((value ?? range) as PointRange)}
              options={pointRanges}
            />
            {symbol.columns.length > 1 ? (
              <ColumnsPopover
                offered={symbol.columns.map(({ name }) => ({ id: name, name }))}
                visible={columns.map(({ name }) => name)}
                onChange={(visible) =>
                  setHidden(symbol.columns.map(({ name }) => name).filter((name) => !visible.includes(name)))
                }
              />
            ) : null}
          </div>
          <Values symbol={symbol} range={range} columns={columns} />
        </>
      )}
    </>
  )
}

function SymbolActions(props: {
  symbol: SymbolItem
  range: PointRange
  columns: readonly ValueColumn[]
  onRemoved: () => void
}) {
  const { symbol, range, columns, onRemoved } = props
  const can = useCan()
  const canWrite = useWritableGroups([symbol.groupName]).has(symbol.groupName) && can('Data', 'RW', 'Storage')
  const [isSaving, setSaving] = useState(false)
  const [isRemoving, setRemoving] = useState(false)
  const save = async (isExact: boolean) => {
    setSaving(true)
    try {
      const names = columns.map(({ name }) => name)
      const blob = await downloadData(downloadQuery(symbol, range, names), { isExact })
      saveBlob(blob, `${Object.values(symbol.symbols).join('-')}.csv`)
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <div className={styles.actions}>
      {can('DataPreps', 'RW', 'Storage') ? (
        <Button size="small" href={newPrepHref([symbol])} icon={<IconTable size={14} stroke={1.6} />}>
          New data prep
        </Button>
      ) : null}
      <Button
        size="small"
        icon={<IconDownload size={14} stroke={1.6} />}
        busy={isSaving}
        onClick={() => void save(false)}
      >
        Download
      </Button>
      <QueryMenu symbol={addressOf(symbol)} onDownload={() => void save(true)} />
      {canWrite && symbol.formula ? (
        <Button
          size="small"
          href={links.formula(symbol.groupName, symbol.symbols)}
          icon={<IconPencil size={14} stroke={1.6} />}
        >
          Edit
        </Button>
      ) : null}
      {canWrite ? (
        <Button
          size="small"
          variant="dangerQuiet"
          icon={<IconTrash size={14} stroke={1.6} />}
          onClick={() => setRemoving(true)}
        >
          Remove
        </Button>
      ) : null}
      <Button
        size="small"
        icon={<IconCopy size={14} stroke={1.6} />}
        onClick={() => void copyText(formatSymbolParameter(symbol.symbols), 'Symbol')}
      >
        Copy symbol
      </Button>
      <RemoveSymbolsDialog
        symbols={isRemoving ? [addressOf(symbol)] : []}
        onClose={() => setRemoving(false)}
        onRemoved={onRemoved}
      />
    </div>
  )
}

function Values(props: { symbol: SymbolItem; range: PointRange; columns: readonly ValueColumn[] }) {
  const { symbol, range, columns } = props
  const names = columns.map(({ name }) => name)
  const address = addressOf(symbol)
  const drawn = usePoints(chartQuery(address, range, names))
  const table = usePoints(tableQuery(address, range, names))
  const error = drawn.error ?? table.error
  if (error)
    return (
      <ErrorState
        error={error}
        onRetry={() => {
          void drawn.refetch()
          void table.refetch()
        }}
      />
    )
  if (drawn.data === undefined || table.data === undefined) return <Skeleton lines={10} />
  return <Points symbol={symbol} columns={columns} drawn={drawn.data} newest={table.data} />
}

function Points(props: {
  symbol: SymbolItem
  columns: readonly ValueColumn[]
  drawn: SymbolPoints
  /** Newest points, the newest first. */
  newest: SymbolPoints
}) {
  const { symbol, columns, drawn, newest } = props
  const spec = useMemo(() => chartOf(columns, drawn), [columns, drawn])
  const rows = useMemo(() => newest.timestamps.map((_, index) => index), [newest])
  if (rows.length === 0)
    return <EmptyState title="No values in this range">Choose another range or other columns.</EmptyState>
  const numericCount = columns.filter(isNumeric).length
  const isDaily = newest.timestamps.every((timestamp) => isMidnight(timestamp))
  const tableColumns: Column<number>[] = [
    {
      id: 'date',
      header: `Date (${timeZone})`,
      width: isDaily ? 'minmax(84px, 1fr)' : 'minmax(140px, 1fr)',
      cell: (row) => (
        <Time value={newest.timestamps[row]!} show={isDaily ? 'date' : 'datetime'} timeZone={timeZone} />
      ),
    },
    ...[...columns]
      .toSorted((a, b) => Number(a.type === 'string') - Number(b.type === 'string'))
      .map((column) => valueColumn(column, newest)),
  ]
  const count = drawn.raw ?? drawn.timestamps.length
  return (
    <>
      {spec.series.length > 0 ? (
        <SymbolChart spec={spec} label={`Values of ${symbolText(symbol.symbols)}`} />
      ) : null}
      {numericCount > maxLines ? (
        <p className={styles.note}>
          The first {maxLines} of {formatNumber(numericCount)} numeric columns are drawn. Choose others under
          Columns.
        </p>
      ) : null}
      <h3 className={styles.caption}>
        {count > previewRows
          ? `The newest ${formatNumber(rows.length)} of ${formatNumber(count)} values`
          : `${formatNumber(rows.length)} ${rows.length === 1 ? 'value' : 'values'}`}
      </h3>
      <div className={styles.values}>
        <DataTable label="Values" columns={tableColumns} rows={rows} rowKey={String} />
      </div>
    </>
  )
}

function isMidnight(timestamp: number): boolean {
  return timestamp % 86_400_000 === 0
}

function isNumeric({ type }: ValueColumn): boolean {
  return type === 'double' || type === 'integer'
}

function chartOf(columns: readonly ValueColumn[], points: SymbolPoints): ChartSpec {
  const numeric = columns.filter(isNumeric).slice(0, maxLines)
  const series = numeric.map(({ name }) => ({
    label: name,
    kind: 'line' as const,
    axis: 'automatic' as const,
    x: points.timestamps,
    y: (points.columns[name] ?? []).map((value) => (typeof value === 'number' ? value : null)),
  }))
  const axes = automaticAxes(series)
  return {
    series: series.map((each, index) => ({ ...each, axis: axes[index]! })),
    x: { kind: 'time', timeZone },
    leftAxis: { domain: 'Auto scale' },
    rightAxis: { domain: 'Auto scale' },
  }
}

function valueColumn({ name, type }: ValueColumn, points: SymbolPoints): Column<number> {
  const values = points.columns[name] ?? []
  const decimals = type === 'double' ? sharedDecimals(values, maxDecimals) : undefined
  const text = (row: number) => {
    const value = values[row]
    if (value === null || value === undefined) return '·'
    return typeof value === 'number' && type !== 'date' ? formatNumber(value, decimals) : String(value)
  }
  const isEmpty = values.every((value) => value === null || value === undefined)
  const longest = type === 'date' ? dateLength : longestOf(values.map((_, row) => text(row)))
  return {
    id: name,
    header: name,
    width: isEmpty ? emptyColumnPx : `minmax(${columnPx(name.length, longest)}px, 1fr)`,
    ...(type === 'string' ? {} : { align: 'end' as const }),
    text,
    cell: (row) =>
      type === 'date' && typeof values[row] === 'number' ? (
        <Time value={values[row]} show="date" timeZone={timeZone} />
      ) : (
        text(row)
      ),
  }
}

function longestOf(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0)
}

/** Returns a width for the heading and the content of a column, within limits; longer texts are visible on hover. */
function columnPx(headingLength: number, longestCell: number): number {
  return Math.min(160, Math.max(48, headingLength * 7, Math.ceil(longestCell * 7.5)))
}
