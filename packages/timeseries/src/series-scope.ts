import { randomUUID } from 'node:crypto'
import { database } from './dataset-tables.ts'
import { bytesOf, encodeNativeBlock, encodeStrings } from './native-block.ts'
import type { SqlConnection, SqlParams } from './sql-connection.ts'

/** Names of scratch tables begin so. */
export const scratchPrefix = 'scratch_'

/** Text that goes with each series: `labels[n]` belongs to `sids[n]`. */
export interface LabelledSeries {
  sids: readonly number[]
  labels: readonly (readonly string[])[]
}

/** The series of a selection as SQL: in the statement if they are few, else in a scratch table for as long as the answer lasts. */
export interface SeriesScope {
  condition: string
  isOneSeries: boolean
  params: SqlParams
  /** SQL of label number `index` of the series in column `sid`. */
  label(index: number): string
  drop(): Promise<void>
}

const maxInlineSeries = 500
const maxInlineCharacters = 16_000
const blockRows = 65_536

/** @param name unique within the statement; names the parameters. */
export async function openSeriesScope(
  connection: SqlConnection,
  name: string,
  { sids, labels }: LabelledSeries,
): Promise<SeriesScope> {
  let characters = 0
  for (const texts of labels) for (const text of texts) characters += text.length
  if (sids.length <= maxInlineSeries && characters <= maxInlineCharacters)
    return inlineScope(name, { sids, labels })
  return scratchScope(connection, { sids, labels })
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

async function scratchScope(
  connection: SqlConnection,
  { sids, labels }: LabelledSeries,
): Promise<SeriesScope> {
  const table = `${database}.${scratchPrefix}${randomUUID().replaceAll('-', '')}`
  const columns = (labels[0] ?? []).map((_, index) => `label${index}`)
  const drop = () => connection.run(`DROP TABLE IF EXISTS ${table} SYNC`)
  const structure = ['sid UInt32', ...columns.map((column) => `${column} String`)].join(', ')
  const upload = await connection.upload(structure, encodeLabels(sids, labels, columns))
  try {
    // Persistent, as a statement may be tried again by an engine that was started anew and would find the table empty.
    await connection.run(
      `CREATE TABLE ${table} (${structure}) ENGINE = Join(ANY, LEFT, sid) SETTINGS persistent = 1`,
    )
    await connection.run(`INSERT INTO ${table} SELECT * FROM ${upload.source}`)
  } catch (error) {
    await drop().catch(() => {})
    throw error
  } finally {
    await upload.drop()
  }
  return {
    condition: `sid IN (SELECT sid FROM ${table})`,
    isOneSeries: false,
    params: {},
    label: (index) => `joinGet('${table}', 'label${index}', sid)`,
    drop,
  }
}

async function* encodeLabels(
  sids: readonly number[],
  labels: readonly (readonly string[])[],
  columns: readonly string[],
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < sids.length; at += blockRows) {
    const part = sids.slice(at, at + blockRows)
    yield encodeNativeBlock(part.length, [
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(Uint32Array.from(part))] },
      ...columns.map((name, index) => ({
        name,
        type: 'String',
        bytes: [encodeStrings(labels.slice(at, at + blockRows).map((texts) => texts[index]!))],
      })),
    ])
  }
}
