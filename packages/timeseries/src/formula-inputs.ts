import { preserveOrder } from './result-rows.ts'
import { columnName, datasetTable, originName } from './dataset-tables.ts'
import type { ComputedPoints } from './formula-join.ts'
import type { InputPart } from './formula-series.ts'
import { joinRows, readNumberBlocks, type NumberRows } from './native-rows.ts'
import { storedInputs, type OpenFormula, type StoredInput } from './open-formula.ts'
import type { PointRange } from './point-sql.ts'
import type { SqlConnection } from './sql-connection.ts'
import { quoteInteger, quoteTimestamp } from './sql-text.ts'

/** Maximum number of points, over all inputs, that are processed at a time. */
const maxPartRows = 262_144
/** Up to this number of buffered formulas, a part has `maxPartRows` points. With more formulas, parts are smaller. */
const fullPartFormulas = 32
const minPartRows = 8192

/** Returns the number of points to process at a time if this many formulas buffer their results. */
export function partRowsFor(bufferedCount: number): number {
  const share = Math.floor((maxPartRows * fullPartFormulas) / Math.max(fullPartFormulas, bufferedCount))
  return Math.max(minPartRows, share)
}

/** Stored inputs of formulas, without duplicates. */
export class FormulaInputs {
  readonly #slots = new Map<string, number>()
  readonly #inputs: { input: StoredInput; range: PointRange }[] = []

  /** Adds the inputs of a formula. If its values depend on points before the range, the inputs are read from their start. */
  add(formula: OpenFormula, { from, ...untilThen }: PointRange): void {
    const range = formula.looksBack || from === undefined ? untilThen : { ...untilThen, from }
    for (const input of storedInputs([formula])) {
      const slot = this.#slots.get(keyOf(input))
      if (slot === undefined) {
        this.#slots.set(keyOf(input), this.#inputs.length)
        this.#inputs.push({ input, range })
      } else {
        const known = this.#inputs[slot]!
        known.range = widest(known.range, range)
      }
    }
  }

  /** Returns the slot of an input. Throws a TypeError if the input was not added. */
  slotOf(input: StoredInput): number {
    const slot = this.#slots.get(keyOf(input))
    if (slot === undefined) throw new TypeError('The formula was not added.')
    return slot
  }

  /**
   * Reads the points of all inputs as one part, so that the engine need not sort by timestamp. Undefined if there are too
   * many points.
   */
  async readWhole(connection: SqlConnection, partRows: number): Promise<InputPart | undefined> {
    if (this.#inputs.length === 0) return { number: 0, size: 0, points: [] }
    const stream = await connection.stream(this.#sql())
    const blocks: NumberRows[] = []
    let size = 0
    try {
      for await (const block of readNumberBlocks(stream, columnCount)) {
        blocks.push(block)
        size += block.count
        if (size > partRows) return undefined
      }
    } finally {
      stream.close()
    }
    return { number: 0, size, points: this.#bySlot(blocks) }
  }

  /** Reads the points of all inputs in consecutive parts of time. */
  async *readParts(connection: SqlConnection, partRows: number): AsyncGenerator<InputPart> {
    const stream = await connection.stream(
      this.#sql(' ORDER BY ts', `, max_block_size = ${quoteInteger(Math.min(partRows, blockRows))}`),
    )
    let blocks: NumberRows[] = []
    let size = 0
    let number = 0
    try {
      for await (const block of readNumberBlocks(stream, columnCount)) {
        blocks.push(block)
        size += block.count
        if (size < partRows) continue
        const rows = joinRows(blocks, columnCount)
        const whole = startOfLastTimestamp(rows)
        if (whole === 0) continue
        yield { number: number++, size: whole, points: this.#bySlot([{ ...rows, count: whole }]) }
        blocks = [{ count: size - whole, columns: rows.columns.map((column) => column.slice(whole)) }]
        size -= whole
      }
    } finally {
      stream.close()
    }
    if (size > 0) yield { number, size, points: this.#bySlot(blocks) }
  }

  #bySlot(blocks: readonly NumberRows[]): ComputedPoints[] {
    const ends = new Uint32Array(this.#inputs.length)
    for (const { columns, count } of blocks) {
      const slots = columns[0]!
      for (let row = 0; row < count; row++) ends[slots[row]!]!++
    }
    for (let slot = 1; slot < ends.length; slot++) ends[slot]! += ends[slot - 1]!
    const next = Uint32Array.from(ends, (_, slot) => (slot === 0 ? 0 : ends[slot - 1]!))
    const total = ends.at(-1) ?? 0
    const sorted = {
      timestamps: new Float64Array(total),
      ages: new Float64Array(total),
      values: new Float64Array(total),
    }
    for (const block of blocks) distribute(block, next, sorted)
    return Array.from(ends, (end, slot) => {
      const start = slot === 0 ? 0 : ends[slot - 1]!
      return {
        timestamps: sorted.timestamps.subarray(start, end),
        ages: sorted.ages.subarray(start, end),
        values: sorted.values.subarray(start, end),
      }
    })
  }

  /** SQL that returns the points, sorted by timestamp for each input. */
  #sql(order = '', settings = ''): string {
    const branches = Map.groupBy(
      this.#inputs.map(({ input, range }, slot) => ({ ...input, range, slot })),
      ({ dataset, column }) => `${dataset} ${column}`,
    )
    const points = [...branches.values()].map(branchSql)
    return `SELECT slot, toFloat64(toUnixTimestamp64Milli(ts)), toFloat64(age), assumeNotNull(value)
      FROM (${points.join(' UNION ALL ')})${order} FORMAT Native SETTINGS ${preserveOrder}${settings}`
  }
}

const columnCount = 4
/** Default block size of the engine. */
const blockRows = 65_409

type SlottedInput = StoredInput & { range: PointRange; slot: number }

/** Returns SQL of rows `slot, ts, age, value` for inputs in one column of one dataset. */
function branchSql(inputs: readonly SlottedInput[]): string {
  const { dataset, column, hasOrigin, lastVersion, range } = inputs[0]!
  const byRange = Map.groupBy(inputs, ({ range: { from, to } }) => `${from} ${to}`)
  const wanted = [...byRange.values()].map((group) => {
    const { from, to } = group[0]!.range
    const conditions = [
      `sid IN (${group.map(({ sid }) => quoteInteger(sid)).join(', ')})`,
      ...(from === undefined ? [] : [`ts >= ${quoteTimestamp(from)}`]),
      ...(to === undefined ? [] : [`ts <= ${quoteTimestamp(to)}`]),
    ]
    return `(${conditions.join(' AND ')})`
  })
  const newest = Math.min(range.versionTo ?? Infinity, lastVersion ?? Infinity)
  const known = newest === Infinity ? '' : ` AND age >= ${quoteInteger(-newest)}`
  const name = columnName(column)
  const origin = originName(column)
  const version = hasOrigin ? `if(${origin} = 0, age, ${origin})` : 'age'
  const source = `SELECT sid, ts, age, ${version} AS version, ${name} FROM ${datasetTable(dataset)} WHERE (${wanted.join(' OR ')})${known}`
  const list = (numbers: readonly number[]) =>
    `CAST([${numbers.map(quoteInteger).join(', ')}] AS Array(UInt32))`
  const slot = `transform(sid, ${list(inputs.map(({ sid }) => sid))}, ${list(inputs.map((input) => input.slot))}, toUInt32(0))`
  return `SELECT ${slot} AS slot, ts, version AS age, toFloat64(${name}) AS value FROM (${source} ORDER BY sid, ts, age LIMIT 1 BY sid, ts) WHERE isNotNull(${name})`
}

function keyOf({ dataset, sid, column }: StoredInput): string {
  return `${dataset} ${sid} ${column}`
}

function widest(a: PointRange, b: PointRange): PointRange {
  const { from: _, to: __, ...rest } = a
  return {
    ...rest,
    ...(a.from === undefined || b.from === undefined ? {} : { from: Math.min(a.from, b.from) }),
    ...(a.to === undefined || b.to === undefined ? {} : { to: Math.max(a.to, b.to) }),
  }
}

/** Copies rows to the arrays of their slots. */
function distribute({ columns, count }: NumberRows, next: Uint32Array, target: ComputedPoints): void {
  const [slots, timestamps, ages, values] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const { timestamps: toTimestamps, ages: toAges, values: toValues } = target
  for (let row = 0; row < count; row++) {
    const at = next[slots[row]!]!++
    toTimestamps[at] = timestamps[row]!
    toAges[at] = ages[row]!
    toValues[at] = values[row]!
  }
}

function startOfLastTimestamp({ count, columns }: NumberRows): number {
  const timestamps = columns[1]!
  let row = count - 1
  while (row > 0 && timestamps[row - 1] === timestamps[count - 1]) row--
  return row
}
