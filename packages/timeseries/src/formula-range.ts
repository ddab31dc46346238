import type { WantedFormula } from './formula-points.ts'
import { datasetTable } from './dataset-tables.ts'
import { storedInputs, type StoredInput } from './open-formula.ts'
import type { PointRange } from './point-sql.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** So many times the number of wanted values is looked at of each input, as not all timestamps have a value. */
const reserve = 4
/** Inputs of all formulas together; beyond them a guess costs more than it saves. */
const maxUses = 20_000

/**
 * Guesses by the newest points of the inputs from which moment on a formula has enough values, so that inputs of millions of points are
 * not computed with as a whole. The caller looks whether they are enough.
 * @param wanted formulas whose values need nothing but the points at their timestamp
 * @returns UTC milliseconds; formulas without a guess are left out
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

/** How many of the newest points of an input there are, and when the first of them is. */
function newestSql(
  { dataset, sid }: StoredInput,
  { to }: PointRange,
  { at, amount }: { at: number; amount: number },
): string {
  const until = to === undefined ? '' : ` AND ts <= ${quoteTimestamp(to)}`
  const points = `SELECT ts FROM ${datasetTable(dataset)} WHERE sid = ${quoteInteger(sid)}${until} ORDER BY sid DESC, ts DESC LIMIT ${quoteInteger(amount)}`
  return `SELECT toUInt32(${quoteInteger(at)}) AS at, toFloat64(count()) AS count, toFloat64(min(toUnixTimestamp64Milli(ts))) AS first FROM (${points})`
}
