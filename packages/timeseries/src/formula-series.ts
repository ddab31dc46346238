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
  /** The same for sources with the same points. */
  key: string
  next(part: InputPart): ComputedPoints
}

/** Turns formulas into sources of points. Formulas that join the same inputs in the same way share the joined rows. */
export class FormulaSources {
  readonly #slotOf: (input: StoredInput) => number
  readonly #joins = new Map<string, SharedJoin>()
  #count = 0

  /** @param slotOf number of a stored input among those of a part */
  constructor(slotOf: (input: StoredInput) => number) {
    this.#slotOf = slotOf
  }

  open({ inputs, join, tree }: OpenFormula): PointSource {
    const sources = inputs.map((input) => this.#openInput(input))
    const key = `${join} ${sources.map((source) => source.key).join(' ')}`
    const shared = this.#joins.get(key) ?? new SharedJoin(new FormulaJoin(join, inputs.length), sources)
    this.#joins.set(key, shared)
    const values = new FormulaValues(tree)
    return {
      key: `formula${this.#count++}`,
      next(part) {
        const { timestamps, ages, columns } = shared.next(part)
        return withoutEmpty({ timestamps, ages, values: values.next(columns, timestamps.length) })
      },
    }
  }

  #openInput(input: OpenFormula['inputs'][number]): PointSource {
    if (input === undefined) return { key: 'none', next: () => noPoints }
    if ('tree' in input) return this.open(input)
    const slot = this.#slotOf(input)
    return { key: `slot${slot}`, next: ({ points }) => points[slot]! }
  }
}

/** Joins the points of a part once, whoever asks for them. */
class SharedJoin {
  readonly #join: FormulaJoin
  readonly #sources: readonly PointSource[]
  #part: number | undefined
  #joined: JoinedPoints | undefined

  constructor(join: FormulaJoin, sources: readonly PointSource[]) {
    this.#join = join
    this.#sources = sources
  }

  next(part: InputPart): JoinedPoints {
    if (this.#joined === undefined || this.#part !== part.number) {
      this.#joined = this.#join.next(this.#sources.map((source) => source.next(part)))
      this.#part = part.number
    }
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
