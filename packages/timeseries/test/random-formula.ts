import { compileExpression, createTree } from '@headwater/formula/testing'
import type { FormulaInput, SeriesFormula } from '../src/series-formula.ts'
import type { Random, World } from './random-world.ts'

/** Creates a valid formula over series of any dataset. */
export function createFormula(random: Random, world: World, depth = 1): SeriesFormula {
  const inputs = Array.from({ length: random.pick([1, 2, 2, 3]) }, (): FormulaInput => {
    if (depth < 3 && random.chance(0.15)) return { formula: createFormula(random, world, depth + 1) }
    const dataset = random.pick([1, 1, 2, 3])
    const numbers = (world.columns.get(dataset) ?? []).filter(
      ({ type }) => type === 'double' || type === 'integer',
    )
    const isKnown = numbers.length > 0 && random.chance(0.95)
    const { id, type } = isKnown ? random.pick(numbers) : { id: 500, type: 'double' as const }
    return { dataset, sid: random.pick([...world.sids, 77]), column: { id, type } }
  })
  return {
    inputs,
    join: random.pick(['inner', 'inner', 'outer', 'previous']),
    expression: compileExpression(createTree(random, inputs.length, 1 + random.below(4))),
  }
}
