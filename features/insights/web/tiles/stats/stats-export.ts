import type { ExportTable } from '../../exports/export-table.ts'
import type { StatValue } from './stat-values.ts'

/** What a stats tile shows as rows that leave the page; times in UTC. */
export function tableOfStats(values: readonly StatValue[]): ExportTable {
  return {
    columns: [
      { name: 'Series', kind: 'text' },
      { name: 'Value', kind: 'number' },
      { name: 'Change', kind: 'number' },
      { name: 'Change in %', kind: 'number', decimals: 2 },
      { name: 'Compared with (UTC)', kind: 'time' },
      { name: 'Newest (UTC)', kind: 'time' },
      { name: 'Level', kind: 'text' },
    ],
    rows: values.map(({ label, value, change, newest, threshold }) => [
      label,
      value ?? null,
      change?.difference ?? null,
      change?.share === undefined ? null : change.share * 100,
      change === undefined ? null : timeText(change.before.time),
      newest === undefined ? null : timeText(newest),
      threshold === undefined ? null : threshold.label || threshold.level,
    ]),
  }
}

function timeText(time: number): string {
  return new Date(time).toISOString().slice(0, -1)
}
