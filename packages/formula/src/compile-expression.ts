import { ColumnComputation, type ComputationWork } from './compute-columns.ts'
import {
  maxExpressionHeight,
  maxExpressionLayers,
  maxExpressionNodes,
  type ExpressionNode,
} from './expression.ts'
import {
  countedFunctions,
  functionRules,
  isNamedFunction,
  isOperatorFunction,
  type FunctionRule,
} from './functions.ts'

/** A validated expression that can be computed any number of times. */
export interface CompiledExpression {
  /** The expression. */
  readonly tree: ExpressionNode
  /** One more than the largest input number; 0 if there are no inputs. */
  readonly inputCount: number
  /** Number of constants, inputs and functions, 1 to {@link maxExpressionNodes}. */
  readonly nodeCount: number
  /** Whether a value may depend on earlier rows. */
  readonly looksBack: boolean
  /** Starts a computation at the first row. */
  start(work: ComputationWork): ColumnComputation
}

/**
 * Validates a tree and compiles it. Trees of `parseExpression` are always valid.
 * @throws RangeError for an invalid tree: an unknown function, wrong arguments, a number that is not finite, or an
 * exceeded limit
 */
export function compileExpression(tree: ExpressionNode): CompiledExpression {
  const facts = { inputCount: 0, nodeCount: 0, looksBack: false }
  if (checkNode(tree, facts, 1) > maxExpressionLayers)
    throw new RangeError(`${countedFunctions} can be nested at most ${maxExpressionLayers} deep.`)
  return { tree, ...facts, start: (work) => new ColumnComputation(tree, facts.nodeCount, work) }
}

type Facts = { -readonly [Name in 'inputCount' | 'nodeCount' | 'looksBack']: CompiledExpression[Name] }

/** @returns the number of layers that the node needs */
function checkNode(node: ExpressionNode, facts: Facts, height: number): number {
  if (++facts.nodeCount > maxExpressionNodes || height > maxExpressionHeight)
    throw new RangeError(
      `An expression can have at most ${maxExpressionNodes} numbers, inputs and functions, nested at most ${maxExpressionHeight} deep.`,
    )
  if (node.kind === 'number') {
    if (!Number.isFinite(node.value)) throw new RangeError(`${node.value} is not a finite number.`)
    return 0
  }
  if (node.kind === 'input') {
    if (!Number.isInteger(node.input) || node.input < 0)
      throw new RangeError(`Inputs are numbered from 0, not ${node.input}.`)
    facts.inputCount = Math.max(facts.inputCount, node.input + 1)
    return 0
  }
  const { least, most, count, looksBack = false } = ruleOf(node.function)
  if (node.arguments.length < least || node.arguments.length > most)
    throw new RangeError(`${node.function} takes ${least} to ${most} values, not ${node.arguments.length}.`)
  const given = node.count ?? Number.NaN
  if (count && !(Number.isInteger(given) && given >= count.least && given <= count.most))
    throw new RangeError(
      `${node.function} takes a whole number from ${count.least} to ${count.most}, not ${given}.`,
    )
  facts.looksBack ||= looksBack
  const below = node.arguments.map((argument) => checkNode(argument, facts, height + 1))
  return Math.max(...below) + (count ? 1 : 0)
}

function ruleOf(name: string): Pick<FunctionRule, 'least' | 'most' | 'count' | 'looksBack'> {
  if (isOperatorFunction(name)) return { least: 2, most: 2 }
  if (isNamedFunction(name)) return functionRules[name]
  throw new RangeError(`There is no function ${name.slice(0, 40)}.`)
}
