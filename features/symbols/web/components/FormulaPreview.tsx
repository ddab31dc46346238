import { useEffect, useMemo } from 'react'
import {
  type Column,
  DataTable,
  EmptyState,
  ErrorNote,
  formatNumber,
  sharedDecimals,
  Skeleton,
  Time,
  useSettled,
} from '@headwater/web-kit'
import type { CompleteFormula } from '../formula-draft.ts'
import { useFormulaPreview } from '../symbols-client.ts'
import { SymbolChart } from './SymbolChart.tsx'
import styles from './NewSymbol.module.css'

/** Pause in typing before the preview is requested, in milliseconds. */
const settledMs = 350
const timeZone = 'UTC'
/** Maximum number of decimals in the table. */
const maxDecimals = 6

/** Newest values of the formula that is being edited. */
export function FormulaPreview(props: {
  formula: CompleteFormula | undefined
  column: string
  /** Called with the error of the server, or undefined if there is none. */
  onRefused: (error: unknown) => void
}) {
  const { formula, column, onRefused } = props
  const text = formula === undefined ? '' : JSON.stringify(formula)
  const settled = useSettled(text, settledMs)
  const requested = useMemo(
    () => (settled === '' ? undefined : (JSON.parse(settled) as CompleteFormula)),
    [settled],
  )
  const { data, error, isFetching } = useFormulaPreview(requested)
  useEffect(() => onRefused(error ?? undefined), [error, onRefused])
  const spec = useMemo(
    () => ({
      series: [{ label: column, kind: 'line' as const, x: data?.timestamps ?? [], y: data?.values ?? [] }],
      x: { kind: 'time' as const, timeZone },
      leftAxis: { domain: 'Auto scale' as const },
    }),
    [column, data],
  )
  const rows = useMemo(() => (data?.timestamps ?? []).map((_, index, all) => all.length - 1 - index), [data])
  if (formula === undefined)
    return (
      <EmptyState title="No values yet">
        Choose the inputs and write an expression; its values appear here.
      </EmptyState>
    )
  if (error) return <ErrorNote error={error} />
  if (data === undefined || requested === undefined) return <Skeleton lines={8} />
  if (rows.length === 0)
    return (
      <EmptyState title="The formula has no values">
        It cannot be computed at any timestamp. Choose other timestamps, or coalesce(…) for empty values.
      </EmptyState>
    )
  const decimals = sharedDecimals(data.values, maxDecimals)
  const isDaily = data.timestamps.every((timestamp) => timestamp % 86_400_000 === 0)
  const columns: Column<number>[] = [
    {
      id: 'date',
      header: `Date (${timeZone})`,
      width: 'minmax(90px, 1fr)',
      cell: (row) => (
        <Time value={data.timestamps[row]!} show={isDaily ? 'date' : 'datetime'} timeZone={timeZone} />
      ),
    },
    {
      id: 'value',
      header: column === '' ? 'Value' : column,
      width: 'minmax(90px, 1fr)',
      align: 'end',
      cell: (row) => formatNumber(data.values[row]!, decimals),
    },
  ]
  return (
    <div className={styles.preview} aria-busy={isFetching || text !== settled}>
      <SymbolChart spec={spec} label="Values of the formula" />
      <h2 className={styles.caption}>
        The newest {formatNumber(rows.length)} {rows.length === 1 ? 'value' : 'values'}
      </h2>
      <div className={styles.values}>
        <DataTable label="Values of the formula" columns={columns} rows={rows} rowKey={String} />
      </div>
    </div>
  )
}
