import type { ExpressionNode } from '../src/expression.ts'
import { roundDecimal } from './plain-decimal.ts'

type Numbers = readonly (number | null)[]

/** Computes a tree as documented, row by row; null is an empty value. */
export function plainValues(node: ExpressionNode, inputs: readonly Numbers[], length: number): Numbers {
  if (node.kind === 'number') return Array.from({ length }, () => node.value)
  if (node.kind === 'input') return inputs[node.input]!
  const given = node.arguments.map((argument) => plainValues(argument, inputs, length))
  const { count = 0 } = node
  return Array.from({ length }, (_, at) => {
    if (node.function === 'lag') return at < count ? null : given[0]![at - count]!
    if (node.function === 'mean' || node.function === 'sum') {
      const window = given[0]!.slice(Math.max(0, at - count + 1), at + 1)
      if (window.length < count || window.includes(null)) return null
      const sum = window.reduce<number>((total, value) => total + value!, 0)
      return finite(node.function === 'mean' ? sum / count : sum)
    }
    return valueOf(
      node.function,
      given.map((values) => values[at]!),
      count,
    )
  })
}

function valueOf(name: string, values: Numbers, count: number): number | null {
  const isMet = (value: number | null | undefined) => value !== null && value !== undefined && value !== 0
  const present = values.filter((value) => value !== null)
  switch (name) {
    case 'and':
      return values.every(isMet) ? 1 : 0
    case 'or':
      return values.some(isMet) ? 1 : 0
    case 'not':
      return isMet(values[0]) ? 0 : 1
    case 'if':
      return isMet(values[0]) ? values[1]! : (values[2] ?? null)
    case 'coalesce':
      return present[0] ?? null
    case 'isempty':
      return values[0] === null ? 1 : 0
    case 'min':
      return present.length === 0 ? null : Math.min(...present)
    case 'max':
      return present.length === 0 ? null : Math.max(...present)
  }
  if (present.length < values.length) return null
  const [a, b] = present as [number, number]
  switch (name) {
    case 'add':
      return finite(a + b)
    case 'subtract':
      return finite(a - b)
    case 'multiply':
      return finite(a * b)
    case 'divide':
      return finite(a / b)
    case 'power':
      return finite(a ** b)
    case 'equals':
      return Number(a === b)
    case 'notEquals':
      return Number(a !== b)
    case 'less':
      return Number(a < b)
    case 'lessOrEqual':
      return Number(a <= b)
    case 'greater':
      return Number(a > b)
    case 'greaterOrEqual':
      return Number(a >= b)
    case 'abs':
      return Math.abs(a)
    case 'sign':
      return Math.sign(a)
    case 'sqrt':
      return finite(Math.sqrt(a))
    case 'ln':
      return finite(Math.log(a))
    case 'log10':
      return finite(Math.log10(a))
    case 'exp':
      return finite(Math.exp(a))
    case 'floor':
      return Math.floor(a)
    case 'ceil':
      return Math.ceil(a)
    case 'round':
      return Math.abs(a) < 2 ** 52 ? roundDecimal(a, count, 'HALF_UP') : a
    default:
      throw new Error(`There is no function ${name}.`)
  }
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null
}
