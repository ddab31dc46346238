import { valueText, type StatValue } from '@headwater/tile-data/core'
import type { ExportColumn, ExportTable } from '../../exports/export-table.ts'

/** Returns a stats tile as an exported table, with the visible decimals and times in UTC. Empty columns are omitted. */
export function tableOfStats(values: readonly StatValue[]): ExportTable {
  const [{ decimals } = { decimals: undefined }] = values
  const shared = values.every((value) => value.decimals === decimals) ? decimals : undefined
  const withUnit = (value: number, row: number) => {
    const { unit, decimals: most } = values[row]!
    return valueText(value, unit, most)
  }
  const columns: (ExportColumn & { of: (value: StatValue) => string | number | null; always?: boolean })[] = [
    { name: 'Series', kind: 'text', always: true, of: ({ label }) => label },
    {
      name: 'Value',
      kind: 'number',
      decimals: shared,
      always: true,
      of: (each) => rounded(each.value, each),
      text: withUnit,
    },
    {
      name: 'Change',
      kind: 'number',
      decimals: shared,
      of: (each) => rounded(each.change?.difference, each),
      text: withUnit,
    },
    {
      name: 'Change (%)',
      kind: 'number',
      decimals: 2,
      of: ({ change }) => (change?.share === undefined ? null : rounded(change.share * 100, { decimals: 2 })),
    },
    { name: 'Compared with (UTC)', kind: 'time', of: ({ change }) => timeText(change?.before.time) },
    { name: 'Time of value (UTC)', kind: 'time', of: ({ at }) => timeText(at) },
    { name: 'Newest value (UTC)', kind: 'time', of: ({ newest }) => timeText(newest) },
    {
      name: 'Level',
      kind: 'text',
      of: ({ threshold }) => (threshold === undefined ? null : threshold.label || threshold.level),
    },
  ]
  const filled = columns.filter(({ of, always }) => always || values.some((value) => of(value) !== null))
  return {
    columns: filled.map(({ name, kind, decimals: most, text }) => ({ name, kind, decimals: most, text })),
    rows: values.map((value) => filled.map(({ of }) => of(value))),
  }
}

/** Rounds off floating-point noise: 18.4 instead of 18.400000000000006. */
function rounded(value: number | undefined, { decimals }: Pick<StatValue, 'decimals'>): number | null {
  return value === undefined ? null : Number(value.toFixed(decimals))
}

function timeText(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString().slice(0, -1)
}
