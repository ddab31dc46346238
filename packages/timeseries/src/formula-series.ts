import { ColumnMemory } from './column-memory.ts'
import { FormulaJoin, noPoints, type ComputedPoints, type JoinedPoints } from './formula-join.ts'
import type { OpenFormula, StoredInput } from './open-formula.ts'
import type { FormulaWork } from './series-formula.ts'
import type { TimeSlice } from './time-slice.ts'

/** Points of all stored inputs in one span of time, by slot. */
export interface InputPart {
  /** Number of the part, ascending. */
  number: number
  /** Number of all points. */
  size: number
  /** Points by slot. */
  points: readonly ComputedPoints[]
}

/** A source of points by part. */
export interface PointSource {
  /** Returns the points of a part. Parts must be requested in order. */
  next(part: InputPart): ComputedPoints | Promise<ComputedPoints>
}

/**
 * Converts formulas to sources of points. A formula that is used several times, or that is both requested and an input, is
 * computed once. Consecutive formulas that join the same inputs in the same way share the joined rows, so callers must read
 * the sources in the order in which they opened them.
 */
export class FormulaSources {
  readonly #slotOf: (input: StoredInput) => number
  readonly #slice: TimeSlice
  readonly #work: FormulaWork
  /** For each formula, the maximum number of times that its points are read per part. */
  readonly #uses: ReadonlyMap<OpenFormula, number>
  readonly #buffered = new Map<OpenFormula, PointSource>()
  readonly #joined: { by: SharedJoin | undefined; memory: ColumnMemory } = {
    by: undefined,
    memory: new ColumnMemory(),
  }
  readonly #memory = new ColumnMemory()
  /** Nested formulas, numbered. */
  readonly #inner = new Map<OpenFormula, number>()
  #last: { key: string; join: SharedJoin } | undefined

  /**
   * @param wanted formulas that will be opened
   * @param slotOf index of a stored input within a part
   */
  constructor(wanted: readonly OpenFormula[], slotOf: (input: StoredInput) => number, slice: TimeSlice) {
    this.#slotOf = slotOf
    this.#slice = slice
    this.#work = { slice, memory: new ColumnMemory() }
    this.#uses = countUses(wanted)
  }

  /** Number of formulas whose points are buffered for other formulas or later reads. */
  get bufferedCount(): number {
    const inputs = new Set([...this.#uses.keys()].flatMap((formula) => formula.inputs))
    return [...this.#uses].filter(([formula, count]) => count > 1 || inputs.has(formula)).length
  }

  /** Returns the same key for formulas that join the same inputs in the same way. */
  joinOf({ inputs, join }: OpenFormula): string {
    return `${join} ${inputs.map((input) => this.#keyOf(input)).join(' ')}`
  }

  /** Opens a source. Its points are valid until another source of this object is read. */
  open(formula: OpenFormula): PointSource {
    if (this.#uses.get(formula)! > 1) return this.#openBuffered(formula)
    const shared = this.#openJoin(formula)
    const values = formula.expression.start(this.#work)
    return {
      next: async (part) => {
        const { timestamps, ages, columns } = await shared.next(part)
        this.#memory.reset()
        return { timestamps, ages, values: await values.next(columns, timestamps.length, this.#memory) }
      },
    }
  }

  #openJoin(formula: OpenFormula): SharedJoin {
    const key = this.joinOf(formula)
    if (this.#last?.key === key) return this.#last.join
    const sources = formula.inputs.map((input) => this.#openInput(input))
    const join = new SharedJoin(
      new FormulaJoin(formula.join, sources.length, this.#slice),
      sources,
      this.#joined,
    )
    this.#last = { key, join }
    return join
  }

  #keyOf(input: OpenFormula['inputs'][number]): string {
    if (input === undefined) return 'none'
    if (!('expression' in input)) return `slot${this.#slotOf(input)}`
    const number = this.#inner.get(input) ?? this.#inner.size
    this.#inner.set(input, number)
    return `formula${number}`
  }

  #openInput(input: OpenFormula['inputs'][number]): PointSource {
    if (input === undefined) return { next: () => noPoints }
    if ('expression' in input) return this.#openBuffered(input)
    const slot = this.#slotOf(input)
    return { next: ({ points }) => points[slot]! }
  }

  /** Opens a formula whose points are needed together with those of others. */
  #openBuffered(formula: OpenFormula): PointSource {
    const known = this.#buffered.get(formula)
    if (known) return known
    const { inputs, join, expression } = formula
    const sources = inputs.map((input) => this.#openInput(input))
    const joining = new FormulaJoin(join, inputs.length, this.#slice)
    const values = expression.start(this.#work)
    const buffered = new BufferedSource(this.#uses.get(formula)!, async (part) => {
      const memory = new ColumnMemory()
      const { timestamps, ages, columns } = await joining.next(
        await pointsOf(sources, part),
        part.size,
        memory,
      )
      return withoutEmpty({ timestamps, ages, values: await values.next(columns, timestamps.length, memory) })
    })
    this.#buffered.set(formula, buffered)
    return buffered
  }
}

function countUses(wanted: readonly OpenFormula[]): Map<OpenFormula, number> {
  const uses = new Map<OpenFormula, number>()
  const add = (formula: OpenFormula) => {
    const count = uses.get(formula) ?? 0
    uses.set(formula, count + 1)
    if (count > 0) return
    for (const input of formula.inputs) if (input !== undefined && 'expression' in input) add(input)
  }
  for (const formula of wanted) add(formula)
  return uses
}

/** Computes the points of a part once, and buffers them until every user has read them. */
class BufferedSource implements PointSource {
  readonly #uses: number
  readonly #compute: (part: InputPart) => Promise<ComputedPoints>
  #part: number | undefined
  #points: ComputedPoints | undefined
  #left = 0

  constructor(uses: number, compute: (part: InputPart) => Promise<ComputedPoints>) {
    this.#uses = uses
    this.#compute = compute
  }

  async next(part: InputPart): Promise<ComputedPoints> {
    if (this.#part !== part.number) {
      this.#points = await this.#compute(part)
      this.#part = part.number
      this.#left = this.#uses
    }
    const points = this.#points!
    if (--this.#left === 0) this.#points = undefined
    return points
  }
}

/** Joins the points of a part once for all consecutive formulas that read it. */
class SharedJoin {
  readonly #join: FormulaJoin
  readonly #sources: readonly PointSource[]
  /** The memory that all joins share, and the join that wrote it last. */
  readonly #last: { by: SharedJoin | undefined; memory: ColumnMemory }
  #part: number | undefined
  #joined: JoinedPoints | undefined

  constructor(
    join: FormulaJoin,
    sources: readonly PointSource[],
    last: { by: SharedJoin | undefined; memory: ColumnMemory },
  ) {
    this.#join = join
    this.#sources = sources
    this.#last = last
  }

  /** @throws TypeError if another join was read in the same part after this one */
  async next(part: InputPart): Promise<JoinedPoints> {
    if (this.#joined !== undefined && this.#part === part.number) {
      if (this.#last.by !== this)
        throw new TypeError('Formulas with the same join must be computed consecutively.')
      return this.#joined
    }
    const points = await pointsOf(this.#sources, part)
    this.#last.memory.reset()
    this.#last.by = this
    this.#part = part.number
    this.#joined = await this.#join.next(points, part.size, this.#last.memory)
    return this.#joined
  }
}

/** Reads the sources sequentially, because they share their memory. */
async function pointsOf(sources: readonly PointSource[], part: InputPart): Promise<ComputedPoints[]> {
  const points: ComputedPoints[] = []
  for (const source of sources) points.push(await source.next(part))
  return points
}

function withoutEmpty(points: ComputedPoints): ComputedPoints {
  const { timestamps, ages, values } = points
  let count = 0
  for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) count++
  if (count === values.length) return points
  const left = {
    timestamps: new Float64Array(count),
    ages: new Float64Array(count),
    values: new Float64Array(count),
  }
  for (let row = 0, at = 0; at < count; row++) {
    if (Number.isNaN(values[row])) continue
    left.timestamps[at] = timestamps[row]!
    left.ages[at] = ages[row]!
    left.values[at++] = values[row]!
  }
  return left
}
