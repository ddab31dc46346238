import type { AccessScope } from '@headwater/groups/server'
import { compileExpression, parseExpression } from '@headwater/formula'
import {
  maxQueryFormulas,
  TimeSlice,
  tooManyFormulas,
  type FormulaInput,
  type SeriesFormula,
} from '@headwater/timeseries'
import { maxFormulaDepth, symbolErrors } from '../contract/index.ts'
import type { GroupColumn, StoredSeries } from './data-query-store.ts'
import type { FormulasStore, StoredFormula, StoredInput } from './formulas-store.ts'

/** The data visible to a query: groups and their symbols, now or at an earlier state. */
export interface FormulaView {
  /** Groups that formulas can read. */
  scope: AccessScope
  /** Called when a formula is omitted because one of its groups cannot be read. */
  onUnreadable?(): void
  /** Called for each group that contains an input of a readable formula, possibly more than once. */
  onRead?(groupId: number): void
  /** Returns symbols of a group by the digests of their keys. */
  byDigest(groupId: number, digests: readonly Buffer[]): Promise<StoredSeries[]>
  /** Returns the value columns of groups. */
  columns(groupIds: readonly number[]): Promise<GroupColumn[]>
}

/** An existing input: its series and column. */
export interface InputSeries {
  /** The series. */
  series: StoredSeries
  /** Its value column. */
  column: GroupColumn
}

type Definition = Pick<StoredFormula, 'symbolId' | 'expression' | 'join' | 'inputs'>

/**
 * Returns formulas in the form of the engine, by the id of their symbol. Formulas with a missing or unreadable input or an invalid
 * expression have no values and are omitted, as are formulas that use them.
 * @throws AppError for too many formulas
 */
export async function resolveFormulas(
  store: Pick<FormulasStore, 'byIds'>,
  symbolIds: readonly number[],
  view: FormulaView,
): Promise<Map<number, SeriesFormula>> {
  if (symbolIds.length === 0) return new Map()
  return computeAll(store, await store.byIds(symbolIds), view)
}

/** Does the same as {@link resolveFormulas} for formulas that are not stored. */
export async function computeAll(
  store: Pick<FormulasStore, 'byIds'>,
  formulas: readonly Definition[],
  view: FormulaView,
): Promise<Map<number, SeriesFormula>> {
  const slice = new TimeSlice()
  const readable = new Map<number, ReadableFormula>()
  const seen = new Set(formulas.map(({ symbolId }) => symbolId))
  let level = formulas
  for (let depth = 1; level.length > 0 && depth <= maxFormulaDepth; depth++) {
    if (seen.size > maxQueryFormulas) throw symbolErrors.queryRefused({ message: tooManyFormulas })
    const visible = level.filter(({ inputs }) => inputs.every(({ groupId }) => view.scope.has(groupId)))
    if (visible.length < level.length) view.onUnreadable?.()
    for (const { inputs } of visible) for (const { groupId } of inputs) view.onRead?.(groupId)
    const inputSeries = await findInputs(
      visible.flatMap(({ inputs }) => inputs),
      view,
    )
    let at = 0
    for (const { symbolId, expression, join, inputs } of visible) {
      const { tree } = parseExpression(
        expression,
        inputs.map(({ name }) => name),
      )
      const own = inputSeries.slice(at, (at += inputs.length)).filter((input) => input !== undefined)
      if (tree !== undefined && own.length === inputs.length)
        readable.set(symbolId, { expression: compileExpression(tree), join, inputs: own })
      if (slice.isOver) await slice.next()
    }
    const used = inputSeries.flatMap((input) => (input?.series.isFormula ? [input.series.id] : []))
    const next = [...new Set(used)].filter((id) => !seen.has(id))
    for (const id of next) seen.add(id)
    level = next.length === 0 ? [] : await store.byIds(next)
  }
  const resolved = new ResolvedFormulas(readable)
  return new Map(
    formulas.flatMap(({ symbolId }) => {
      const formula = resolved.find(symbolId)
      return formula === undefined ? [] : [[symbolId, formula]]
    }),
  )
}

/** A formula whose inputs all exist and are readable. */
interface ReadableFormula {
  expression: SeriesFormula['expression']
  join: StoredFormula['join']
  inputs: readonly InputSeries[]
}

/** Creates one object per formula, because the engine computes each object once. */
class ResolvedFormulas {
  readonly #readable: ReadonlyMap<number, ReadableFormula>
  /** Formulas with their nesting depth; undefined for formulas without values. */
  readonly #resolved = new Map<number, { formula: SeriesFormula; depth: number } | undefined>()

  constructor(readable: ReadonlyMap<number, ReadableFormula>) {
    this.#readable = readable
  }

  find(symbolId: number): SeriesFormula | undefined {
    return this.#resolve(symbolId)?.formula
  }

  #resolve(symbolId: number): { formula: SeriesFormula; depth: number } | undefined {
    if (this.#resolved.has(symbolId)) return this.#resolved.get(symbolId)
    // A formula that depends on itself has no values.
    this.#resolved.set(symbolId, undefined)
    const resolved = this.#resolveNew(this.#readable.get(symbolId))
    this.#resolved.set(symbolId, resolved)
    return resolved
  }

  #resolveNew(readable: ReadableFormula | undefined): { formula: SeriesFormula; depth: number } | undefined {
    if (readable === undefined) return undefined
    const inputs: FormulaInput[] = []
    let depth = 1
    for (const { series, column } of readable.inputs) {
      if (!series.isFormula) {
        inputs.push({ dataset: series.groupId, sid: series.id, column: { id: column.id, type: column.type } })
        continue
      }
      const inner = this.#resolve(series.id)
      if (inner === undefined) return undefined
      inputs.push({ formula: inner.formula })
      depth = Math.max(depth, 1 + inner.depth)
    }
    if (depth > maxFormulaDepth) return undefined
    const join = readable.join.toLowerCase() as SeriesFormula['join']
    return { formula: { inputs, join, expression: readable.expression }, depth }
  }
}

/** Returns the series and columns of inputs, in order; undefined for inputs that are missing or not numeric. */
export async function findInputs(
  inputs: readonly StoredInput[],
  view: Pick<FormulaView, 'byDigest' | 'columns'>,
): Promise<(InputSeries | undefined)[]> {
  if (inputs.length === 0) return []
  const digests = Map.groupBy(inputs, ({ groupId }) => groupId)
  const columns = Map.groupBy(
    await view.columns([...digests.keys()]),
    ({ groupId, name }) => `${groupId}:${name}`,
  )
  const series = new Map<string, StoredSeries>()
  for (const [groupId, own] of digests) {
    const wanted = [...new Set(own.map(({ digest }) => digest))].map((digest) => Buffer.from(digest, 'hex'))
    for (const each of await view.byDigest(groupId, wanted)) series.set(seriesKey(groupId, each.keys), each)
  }
  return inputs.map(({ groupId, keys, column: name }) => {
    const own = series.get(seriesKey(groupId, keys))
    const column = columns.get(`${groupId}:${name}`)?.find(({ id }) => own?.columnIds.includes(id))
    if (own === undefined || column === undefined) return undefined
    return column.type === 'double' || column.type === 'integer' ? { series: own, column } : undefined
  })
}

function seriesKey(groupId: number, keys: Record<string, string>): string {
  return `${groupId}:${JSON.stringify(Object.entries(keys).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}
