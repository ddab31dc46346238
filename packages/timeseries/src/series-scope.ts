import { bytesOf, encodeStrings } from './native-block.ts'
import { openTemporaryJoin } from './temporary-join.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'
import { maxParameterCharacters } from './sql-params.ts'

/** Labels of series: `labels[n]` belongs to `sids[n]`. */
export interface LabelledSeries {
  /** Numbers of the series. */
  sids: readonly number[]
  /** Labels by series. */
  labels: readonly (readonly string[])[]
}

/**
 * The series of a selection as SQL: inline if there are few, otherwise in a temporary table that exists until the result has
 * been read.
 */
export interface SeriesScope {
  /** SQL condition on `sid`. */
  condition: string
  /** Whether the condition matches only one series. */
  isOneSeries: boolean
  /** Parameters of the SQL. */
  params: SqlParams
  /** Returns SQL of label number `index` of the series in column `sid`. */
  label(index: number): string
  /** Drops the temporary table. */
  drop(): Promise<void>
}

const maxInlineSeries = 500

/** @param name prefix of the parameters, unique within the statement */
export async function openSeriesScope(
  connection: SqlConnection,
  name: string,
  { sids, labels }: LabelledSeries,
): Promise<SeriesScope> {
  let characters = 0
  for (const texts of labels) for (const text of texts) characters += text.length + 3
  if (sids.length <= maxInlineSeries && characters <= maxParameterCharacters)
    return inlineScope(name, { sids, labels })
  return temporaryScope(connection, { sids, labels })
}

function inlineScope(name: string, { sids, labels }: LabelledSeries): SeriesScope {
  const params: Record<string, readonly string[]> = {}
  const labelCount = labels[0]?.length ?? 0
  for (let index = 0; index < labelCount; index++)
    params[`${name}_${index}`] = labels.map((texts) => texts[index]!)
  const list = sids.join(', ')
  return {
    condition: sids.length === 0 ? '0' : sids.length === 1 ? `sid = ${list}` : `sid IN (${list})`,
    isOneSeries: sids.length === 1,
    params,
    label: (index) =>
      sids.length === 1
        ? `{${name}_${index}:Array(String)}[1]`
        : `transform(sid, CAST([${list}] AS Array(UInt32)), {${name}_${index}:Array(String)}, '')`,
    drop: async () => {},
  }
}

async function temporaryScope(
  connection: SqlConnection,
  { sids, labels }: LabelledSeries,
): Promise<SeriesScope> {
  const names = (labels[0] ?? []).map((_, index) => `label${index}`)
  const columns = [{ name: 'sid', type: 'UInt32' }, ...names.map((name) => ({ name, type: 'String' }))]
  const { table, lookUp, drop } = await openTemporaryJoin(connection, columns, sids.length, (from, to) => [
    [bytesOf(Uint32Array.from(sids.slice(from, to)))],
    ...names.map((_, index) => [encodeStrings(labels.slice(from, to).map((texts) => texts[index]!))]),
  ])
  return {
    condition: `sid IN (SELECT sid FROM ${table})`,
    isOneSeries: false,
    params: {},
    label: (index) => lookUp(`label${index}`, 'sid'),
    drop,
  }
}
