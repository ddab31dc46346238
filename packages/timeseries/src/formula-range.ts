import type { WantedFormula } from './formula-points.ts'
import { datasetTable } from './dataset-tables.ts'
import { storedInputs, type StoredInput } from './open-formula.ts'
import type { PointRange } from './point-sql.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Each input is read for this multiple of the requested number of values, because not all timestamps have a value. */
const reserve = 4
/** Maximum number of inputs of all formulas together. Beyond it, the estimate takes longer than it saves. */
const maxUses = 20_000

/**
 * Estimates, from the newest points of the inputs, the start of a range in which a formula has enough values. This avoids
 * computing with all points of long inputs. The caller checks whether the values are enough.
 * @param wanted formulas that need only the points at the timestamp of a value
 * @returns UTC milliseconds; formulas without an estimate are absent
 */
export async function guessStarts(
  connection: SqlConnection,
  wanted: readonly WantedFormula[],
  range: PointRange,
  amount: number,
): Promise<Map<WantedFormula, number>> {
  const users = new Map<string, { input: StoredInput; wanted: WantedFormula[] }>()
  let useCount = 0
  for (const each of wanted) {
    for (const input of storedInputs([each.formula])) {
      if (++useCount > maxUses) return new Map()
      const key = `${input.dataset} ${input.sid}`
      const known = users.get(key)
      if (known) known.wanted.push(each)
      else users.set(key, { input, wanted: [each] })
    }
  }
  const series = [...users.values()]
  const starts = new Map<WantedFormula, number>()
  if (series.length === 0) return starts
  const guesses = series.map(({ input }, at) => newestSql(input, range, { at, amount: amount * reserve }))
  for (const row of await connection.rows(guesses.join(' UNION ALL '))) {
    if (Number(row.count) === 0) continue
    const first = Number(row.first)
    for (const each of series[Number(row.at)]!.wanted)
      starts.set(each, Math.min(first, starts.get(each) ?? first))
  }
  for (const [each, start] of starts) if (start <= (range.from ?? -Infinity)) starts.delete(each)
  return starts
}

/** Returns SQL of the number of newest points of an input, and the timestamp of the first of these points. */
function newestSql(
  { dataset, sid }: StoredInput,
  { to }: PointRange,
  { at, amount }: { at: number; amount: number },
): string {
  const until = to === undefined ? '' : ` AND ts <= ${quoteTimestamp(to)}`
  const points = `SELECT ts FROM ${datasetTable(dataset)} WHERE sid = ${quoteInteger(sid)}${until} ORDER BY sid DESC, ts DESC LIMIT ${quoteInteger(amount)}`
  return `SELECT toUInt32(${quoteInteger(at)}) AS at, toFloat64(count()) AS count, toFloat64(min(toUnixTimestamp64Milli(ts))) AS first FROM (${points})`
}
