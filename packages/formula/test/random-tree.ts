import type { ExpressionNode } from '../src/expression.ts'
import type { ExpressionFunction } from '../src/functions.ts'
import type { Chances } from './chances.ts'

/** Source of randomness. */
type Random = Pick<Chances, 'below' | 'pick' | 'chance'>

/** Functions with exact results, so that results can be compared to the last bit. */
const exact: readonly { name: ExpressionFunction; least: number; most: number; count?: number }[] = [
  { name: 'add', least: 2, most: 2 },
  { name: 'subtract', least: 2, most: 2 },
  { name: 'multiply', least: 2, most: 2 },
  { name: 'divide', least: 2, most: 2 },
  { name: 'equals', least: 2, most: 2 },
  { name: 'notEquals', least: 2, most: 2 },
  { name: 'less', least: 2, most: 2 },
  { name: 'lessOrEqual', least: 2, most: 2 },
  { name: 'greater', least: 2, most: 2 },
  { name: 'greaterOrEqual', least: 2, most: 2 },
  { name: 'and', least: 1, most: 3 },
  { name: 'or', least: 1, most: 3 },
  { name: 'not', least: 1, most: 1 },
  { name: 'if', least: 2, most: 3 },
  { name: 'coalesce', least: 1, most: 3 },
  { name: 'isempty', least: 1, most: 1 },
  { name: 'abs', least: 1, most: 1 },
  { name: 'sign', least: 1, most: 1 },
  { name: 'sqrt', least: 1, most: 1 },
  { name: 'floor', least: 1, most: 1 },
  { name: 'ceil', least: 1, most: 1 },
  { name: 'round', least: 1, most: 1, count: 4 },
  { name: 'min', least: 1, most: 3 },
  { name: 'max', least: 1, most: 3 },
  { name: 'lag', least: 1, most: 1, count: 4 },
  { name: 'mean', least: 1, most: 1, count: 3 },
  { name: 'sum', least: 1, most: 1, count: 3 },
]

/** Creates a tree of exact functions over this many inputs. */
export function createTree(random: Random, inputs: number, height: number): ExpressionNode {
  if (height <= 1 || random.chance(0.1)) {
    if (random.chance(0.8)) return { kind: 'input', input: random.below(inputs) }
    return { kind: 'number', value: random.pick([0, 1, 2, 0.1, 100, -3.5, 1e300, 1e-300]) }
  }
  const { name, least, most, count } = random.pick(exact)
  return {
    kind: 'call',
    function: name,
    arguments: Array.from({ length: least + random.below(most - least + 1) }, () =>
      createTree(random, inputs, height - 1),
    ),
    ...(count === undefined ? {} : { count: 1 + random.below(count) }),
  }
}
