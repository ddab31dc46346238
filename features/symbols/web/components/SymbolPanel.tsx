import { useMemo, useState } from 'react'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import type { ChartSpec } from '@headwater/charts'
import {
  Button,
  type Column,
  CopyButton,
  DataTable,
  EmptyState,
  ErrorState,
  formatNumber,
  GroupLink,
  IconButton,
  links,
  Skeleton,
  Time,
  toastError,
} from '@headwater/web-kit'
import { formatSymbolParameter, type SymbolItem, type ValueColumn } from '../../contract/index.ts'
import { symbolText } from '../symbol-text.ts'
import { downloadSymbol, useLastPoints, useSymbol, type SymbolPoints } from '../symbols-client.ts'
import type { SymbolAddress } from '../use-storage-state.ts'
import { SymbolChart } from './SymbolChart.tsx'
import styles from './SymbolPanel.module.css'

/** Most lines of the small chart. */
const maxLines = 8
/** Most decimals of a number in the table. */
const maxDecimals = 6

// Days of data are days of data: a daily price must not move to the evening before for a reader in New York.
const timeZone = 'UTC'

/** The preview of a symbol: its keys, its metadata, and its last 500 values as chart and table. */
export function SymbolPanel({ address, onClose }: { address: SymbolAddress; onClose: () => void }) {
  const { data: symbol, error, refetch } = useSymbol(address.groupName, address.symbols)
  const title = symbolText(address.symbols)
  return (
    <section className={styles.panel} aria-label={`Preview of ${title}`}>
      <header className={styles.header}>
        <h2 title={title}>{Object.values(address.symbols).join(' · ')}</h2>
        <IconButton label="Close preview" icon={<IconX size={16} stroke={1.6} />} onClick={onClose} />
      </header>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : null}
      {symbol === undefined && !error ? <Skeleton lines={8} /> : null}
      {symbol === null ? (
        <EmptyState title="This symbol is not there">
          It may have been removed with its file, or lie in a group that you cannot read.
        </EmptyState>
      ) : null}
      {symbol ? <SymbolDetails key={title} symbol={symbol} /> : null}
    </section>
  )
}

function SymbolDetails({ symbol }: { symbol: SymbolItem }) {
  const points = useLastPoints(symbol)
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      saveBlob(await downloadSymbol(symbol, timeZone), `${Object.values(symbol.symbols).join('-')}.csv`)
    } catch (error) {
      toastError(error)
    } finally {
      setSaving(false)
    }
  }
  const facts = [...Object.entries(symbol.symbols), ...Object.entries(symbol.metadata)]
  return (
    <>
      <div className={styles.actions}>
        <Button
          size="small"
          icon={<IconDownload size={14} stroke={1.6} />}
          busy={isSaving}
          onClick={() => void save()}
        >
          Download
        </Button>
        <CopyButton value={formatSymbolParameter(symbol.symbols)} label="Symbol" />
      </div>
      <dl className={styles.facts}>
        <dt>Group</dt>
        <dd>
          <GroupLink href={links.group(symbol.groupName)}>{symbol.groupName}</GroupLink>
        </dd>
        {facts.map(([name, value], index) => (
          // A key and a metadata column may have the same name.
          <div key={index} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {points.error ? <ErrorState error={points.error} onRetry={() => void points.refetch()} /> : null}
      {points.data === undefined && !points.error ? <Skeleton lines={10} /> : null}
      {points.data === undefined ? null : <Points symbol={symbol} points={points.data} />}
    </>
  )
}

function Points({ symbol, points }: { symbol: SymbolItem; points: SymbolPoints }) {
  const spec = useMemo(() => chartOf(symbol.columns, points), [symbol.columns, points])
  const rows = useMemo(() => points.timestamps.map((_, index) => index).toReversed(), [points])
  if (rows.length === 0)
    return (
      <EmptyState title="No values yet">
        Values appear as soon as a file with this symbol brings some.
      </EmptyState>
    )
  const isDaily = points.timestamps.every((timestamp) => isMidnight(timestamp))
  const columns: Column<number>[] = [
    {
      id: 'date',
      header: `Date (${timeZone})`,
      width: isDaily ? 'minmax(84px, 1fr)' : 'minmax(140px, 1fr)',
      cell: (row) => (
        <Time value={points.timestamps[row]!} show={isDaily ? 'date' : 'datetime'} timeZone={timeZone} />
      ),
    },
    ...symbol.columns.map((column) => valueColumn(column, points)),
  ]
  return (
    <>
      {spec.series.length > 0 ? (
        <SymbolChart spec={spec} label={`Last values of ${symbolText(symbol.symbols)}`} />
      ) : null}
      <h3 className={styles.caption}>
        Last {rows.length.toLocaleString('en')} {rows.length === 1 ? 'value' : 'values'}
      </h3>
      <div className={styles.values}>
        <DataTable label="Last values" columns={columns} rows={rows} rowKey={String} />
      </div>
    </>
  )
}

function isMidnight(timestamp: number): boolean {
  return timestamp % 86_400_000 === 0
}

function chartOf(columns: readonly ValueColumn[], points: SymbolPoints): ChartSpec {
  const numeric = columns.filter(({ type }) => type === 'double' || type === 'integer').slice(0, maxLines)
  return {
    series: numeric.map(({ name }) => ({
      label: name,
      kind: 'line',
      x: points.timestamps,
      y: (points.columns[name] ?? []).map((value) => (typeof value === 'number' ? value : null)),
    })),
    x: { kind: 'time', timeZone },
    leftAxis: { domain: 'Auto scale' },
  }
}

function valueColumn({ name, type }: ValueColumn, points: SymbolPoints): Column<number> {
  const values = points.columns[name] ?? []
  const decimals = type === 'double' ? mostDecimals(values) : undefined
  const text = (row: number) => {
    const value = values[row]
    if (value === null || value === undefined) return '·'
    return typeof value === 'number' && type !== 'date' ? formatNumber(value, decimals) : String(value)
  }
  return {
    id: name,
    header: name,
    width: `minmax(${Math.min(180, Math.max(type === 'string' ? 120 : 76, name.length * 7))}px, 1fr)`,
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

/** Decimals that every number of a column is shown with, so that the points stand below each other. */
function mostDecimals(values: readonly (number | string | null)[]): number {
  const lengths = values.map((value) =>
    typeof value === 'number' ? (String(value).split('.')[1]?.length ?? 0) : 0,
  )
  return Math.min(
    maxDecimals,
    lengths.reduce((most, length) => Math.max(most, length), 0),
  )
}

function saveBlob(blob: Blob, name: string): void {
  const anchor = document.createElement('a')
  anchor.href = URL.createObjectURL(blob)
  anchor.download = name
  anchor.click()
  URL.revokeObjectURL(anchor.href)
}
