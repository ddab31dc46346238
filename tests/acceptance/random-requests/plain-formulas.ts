import { compileExpression, createTree, type ExpressionNode } from '@headwater/formula/testing'
import type { SeriesFormula } from '@headwater/timeseries'
import type { Random } from '../../../packages/timeseries/test/random-world.ts'
import type { PlainFormula } from './plain-request.ts'
import type { PlainGroup, PlainWorld } from './plain-world.ts'

/** A formula as a client writes it. */
export interface FormulaRequest {
  groupName: string
  symbols: Record<string, string>
  column: string
  expression: string
  join: 'INNER' | 'OUTER' | 'PREVIOUS'
  inputs: { name: string; groupName: string; symbols: Record<string, string>; column: string }[]
}

/** Creates formulas of stored series in a separate group and adds them to the symbols of the world. */
export function createFormulas(
  random: Random,
  world: PlainWorld,
  count: number,
): (PlainFormula & { request: FormulaRequest })[] {
  const stored = [...world.symbols]
  const group: PlainGroup = {
    name: 'Desk',
    dataset: world.groups.length + 1,
    columns: [{ id: 1, name: 'Value', type: 'double' }],
    metadataTypes: {},
  }
  world.groups.push(group)
  return Array.from({ length: count }, (_, number) => {
    const inputs = Array.from({ length: 1 + random.below(3) }, (_none, index) => {
      const symbol = random.pick(stored)
      const own = world.groups.find(({ dataset }) => dataset === symbol.dataset)!
      const column = random.pick(own.columns.filter(({ type }) => type === 'double' || type === 'integer'))
      return { name: `in${index}`, group: own, symbol, column }
    })
    const join = random.pick(['inner', 'outer', 'previous'] as const)
    const tree = createTree(random, inputs.length, 1 + random.below(4))
    const formula: SeriesFormula = {
      inputs: inputs.map(({ symbol, column }) => ({
        dataset: symbol.dataset,
        sid: symbol.id,
        column: { id: column.id, type: column.type },
      })),
      join,
      expression: compileExpression(tree),
    }
    const symbol = {
      id: world.symbols.length + 1,
      dataset: group.dataset,
      keys: { Code: `F${number}` },
      metadata: {},
      columns: new Set([1]),
    }
    world.symbols.push(symbol)
    const request: FormulaRequest = {
      groupName: group.name,
      symbols: symbol.keys,
      column: 'Value',
      expression: textOf(tree),
      join: join.toUpperCase() as FormulaRequest['join'],
      inputs: inputs.map((input) => ({
        name: input.name,
        groupName: input.group.name,
        symbols: input.symbol.keys,
        column: input.column.name,
      })),
    }
    return { symbol, formula, request }
  })
}

const signs: Record<string, string> = {
  add: '+',
  subtract: '-',
  multiply: '*',
  divide: '/',
  equals: '=',
  notEquals: '!=',
  less: '<',
  lessOrEqual: '<=',
  greater: '>',
  greaterOrEqual: '>=',
}

/** Formats a tree as an expression of the guide. */
function textOf(node: ExpressionNode): string {
  if (node.kind === 'number') return `(${String(node.value).replace('e+', 'e')})`
  if (node.kind === 'input') return `in${node.input}`
  const given = node.arguments.map(textOf)
  const sign = signs[node.function]
  if (sign !== undefined) return `(${given.join(` ${sign} `)})`
  return `${node.function}(${[...given, ...(node.count === undefined ? [] : [node.count])].join(', ')})`
}
