import type { FormulaInput, SeriesFormula } from '@headwater/timeseries'
import { maxFormulaDepth, parseExpression } from '../contract/index.ts'
import type { GroupColumn, StoredSeries } from './data-query-store.ts'
import type { FormulasStore, StoredFormula, StoredInput } from './formulas-store.ts'

/** How far a question sees: the data of groups, as they are or were. */
export interface FormulaView {
  canRead(groupId: number): boolean
  byDigest(groupId: number, digests: readonly Buffer[]): Promise<StoredSeries[]>
  columns(groupIds: readonly number[]): Promise<GroupColumn[]>
}

/** An input that is there: its series and its column. */
export interface FoundInput {
  series: StoredSeries
  column: GroupColumn
}

/**
 * Turns formulas into what the engine can compute, by the id of their symbol. Those with an input that is gone or cannot be read are
 * left out, and so are those that use them: they have no values.
 */
export async function resolveFormulas(
  store: Pick<FormulasStore, 'byIds'>,
  symbolIds: readonly number[],
  view: FormulaView,
  depth = 1,
): Promise<Map<number, SeriesFormula>> {
  if (symbolIds.length === 0 || depth > maxFormulaDepth) return new Map()
  const formulas = await store.byIds(symbolIds)
  return computeAll(store, formulas, view, depth)
}

/** The same for formulas that need not be stored. */
export async function computeAll(
  store: Pick<FormulasStore, 'byIds'>,
  formulas: readonly Pick<StoredFormula, 'symbolId' | 'expression' | 'join' | 'inputs'>[],
  view: FormulaView,
  depth = 1,
): Promise<Map<number, SeriesFormula>> {
  const visible = formulas.filter(({ inputs }) => inputs.every(({ groupId }) => view.canRead(groupId)))
  const found = await findInputs(
    visible.flatMap(({ inputs }) => inputs),
    view,
  )
  const computedIds = found.flatMap((input) => (input?.series.isFormula ? [input.series.id] : []))
  const nested = await resolveFormulas(store, [...new Set(computedIds)], view, depth + 1)
  const resolved = new Map<number, SeriesFormula>()
  let at = 0
  for (const { symbolId, expression, join, inputs } of visible) {
    const own = found.slice(at, (at += inputs.length)).map((input) => toEngineInput(input, nested))
    const { tree } = parseExpression(
      expression,
      inputs.map(({ name }) => name),
    )
    const known = own.filter((input) => input !== undefined)
    if (tree === undefined || known.length < own.length) continue
    resolved.set(symbolId, {
      inputs: known,
      join: join.toLowerCase() as SeriesFormula['join'],
      tree,
    })
  }
  return resolved
}

/** The series and columns of inputs, in their order; undefined for those that are not there or are no numbers. */
export async function findInputs(
  inputs: readonly StoredInput[],
  view: Pick<FormulaView, 'byDigest' | 'columns'>,
): Promise<(FoundInput | undefined)[]> {
  if (inputs.length === 0) return []
  const digests = Map.groupBy(inputs, ({ groupId }) => groupId)
  const columns = await view.columns([...digests.keys()])
  const series = new Map<string, StoredSeries>()
  for (const [groupId, own] of digests) {
    const wanted = [...new Set(own.map(({ digest }) => digest))].map((digest) => Buffer.from(digest, 'hex'))
    for (const each of await view.byDigest(groupId, wanted)) series.set(placeOf(groupId, each.keys), each)
  }
  return inputs.map(({ groupId, keys, column: name }) => {
    const own = series.get(placeOf(groupId, keys))
    const column = columns.find(
      (each) => each.groupId === groupId && each.name === name && own?.columnIds.includes(each.id) === true,
    )
    if (own === undefined || column === undefined) return undefined
    return column.type === 'double' || column.type === 'integer' ? { series: own, column } : undefined
  })
}

function toEngineInput(
  input: FoundInput | undefined,
  nested: ReadonlyMap<number, SeriesFormula>,
): FormulaInput | undefined {
  if (input === undefined) return undefined
  const { series, column } = input
  if (!series.isFormula)
    return { dataset: series.groupId, sid: series.id, column: { id: column.id, type: column.type } }
  const formula = nested.get(series.id)
  return formula && { formula }
}

function placeOf(groupId: number, keys: Record<string, string>): string {
  return `${groupId}:${JSON.stringify(Object.entries(keys).toSorted(([a], [b]) => (a < b ? -1 : 1)))}`
}
