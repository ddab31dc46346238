import type { ExpressionNode } from '../src/expression.ts'
import { functionRules, operators, type ExpressionFunction } from '../src/functions.ts'
import type { Chances } from './chances.ts'

/** Source of randomness. */
type Random = Pick<Chances, 'below' | 'pick' | 'chance'>

/** Functions whose results can differ in the last bit between platforms. */
const inexact: readonly string[] = ['ln', 'log10', 'exp', 'power'] satisfies ExpressionFunction[]

/** Functions with exact results, so that results can be compared to the last bit. */
const exact = [
  ...[...new Set(Object.values(operators))].map((name) => ({ name, least: 2, most: 2, count: undefined })),
  ...Object.entries(functionRules).map(([name, { least, most, count }]) => ({
    name: name as ExpressionFunction,
    least,
    most: Math.min(most, 3),
    count: count === undefined ? undefined : 4,
  })),
].filter(({ name }) => !inexact.includes(name))

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
