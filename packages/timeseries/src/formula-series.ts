import { ColumnMemory } from './column-memory.ts'
import { FormulaJoin, noPoints, type ComputedPoints, type JoinedPoints } from './formula-join.ts'
import { FormulaValues } from './formula-values.ts'
import type { OpenFormula, StoredInput } from './open-formula.ts'

/** Points of all stored inputs in one span of time, by slot. */
export interface InputPart {
  /** Counts the parts. */
  number: number
  points: readonly ComputedPoints[]
}

/** Something that has points in each part. */
export interface PointSource {
  next(part: InputPart): ComputedPoints
}

/**
 * Turns formulas into sources of points. Successive formulas that join the same inputs in the same way share the joined rows, so they are
 * asked in the order in which they were opened.
 */
export class FormulaSources {
  readonly #slotOf: (input: StoredInput) => number
  readonly #joined: { by: SharedJoin | undefined; memory: ColumnMemory } = {
    by: undefined,
    memory: new ColumnMemory(),
  }
  readonly #memory = new ColumnMemory()
  /** Formulas that are inputs, numbered. */
  readonly #inner = new Map<OpenFormula, number>()
  #last: { key: string; join: SharedJoin } | undefined

  /** @param slotOf number of a stored input among those of a part */
  constructor(slotOf: (input: StoredInput) => number) {
    this.#slotOf = slotOf
  }

  /** The same text for formulas that join the same inputs in the same way. */
  joinOf({ inputs, join }: OpenFormula): string {
    return `${join} ${inputs.map((input) => this.#keyOf(input)).join(' ')}`
  }

  /** The points of a source are there until another one of these sources is asked. */
  open(formula: OpenFormula): PointSource {
    const shared = this.#openJoin(formula)
    const values = new FormulaValues(formula.tree)
    return {
      next: (part) => {
        this.#memory.reset()
        const { timestamps, ages, columns } = shared.next(part)
        return { timestamps, ages, values: values.next(columns, timestamps.length, this.#memory) }
      },
    }
  }

  #openJoin(formula: OpenFormula): SharedJoin {
    const key = this.joinOf(formula)
    if (this.#last?.key === key) return this.#last.join
    const sources = formula.inputs.map((input) => this.#openInput(input))
    const join = new SharedJoin(new FormulaJoin(formula.join, sources.length), sources, this.#joined)
    this.#last = { key, join }
    return join
  }

  #keyOf(input: OpenFormula['inputs'][number]): string {
    if (input === undefined) return 'none'
    if (!('tree' in input)) return `slot${this.#slotOf(input)}`
    const number = this.#inner.get(input) ?? this.#inner.size
    this.#inner.set(input, number)
    return `formula${number}`
  }

  #openInput(input: OpenFormula['inputs'][number]): PointSource {
    if (input === undefined) return { next: () => noPoints }
    if ('tree' in input) return this.#openInner(input)
    const slot = this.#slotOf(input)
    return { next: ({ points }) => points[slot]! }
  }

  /** A formula that is an input: its points are needed beside those of the others. */
  #openInner({ inputs, join, tree }: OpenFormula): PointSource {
    const sources = inputs.map((input) => this.#openInput(input))
    const joining = new FormulaJoin(join, inputs.length)
    const values = new FormulaValues(tree)
    return {
      next(part) {
        const memory = new ColumnMemory()
        const points = sources.map((source) => source.next(part))
        const { timestamps, ages, columns } = joining.next(points, memory)
        return withoutEmpty({ timestamps, ages, values: values.next(columns, timestamps.length, memory) })
      },
    }
  }
}

/** Joins the points of a part once for all formulas that ask one after the other. */
class SharedJoin {
  readonly #join: FormulaJoin
  readonly #sources: readonly PointSource[]
  /** Whose rows are in the memory that all joins have together. */
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

  /** @throws TypeError if another join was asked in the same part after this one */
  next(part: InputPart): JoinedPoints {
    if (this.#joined !== undefined && this.#part === part.number) {
      if (this.#last.by !== this)
        throw new TypeError('Formulas of one join are computed one after the other.')
      return this.#joined
    }
    const points = this.#sources.map((source) => source.next(part))
    this.#last.memory.reset()
    this.#last.by = this
    this.#part = part.number
    this.#joined = this.#join.next(points, this.#last.memory)
    return this.#joined
  }
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
