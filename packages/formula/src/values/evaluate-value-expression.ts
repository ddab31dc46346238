import type { ValueNode } from './parse-value-expression.ts'
import type { ValueFunction, ValueWork } from './value-function.ts'
import { compareValues, valueFunctions } from './value-functions.ts'
import { Budget, checked, isTrue, maxTextLength, toNumber, toText, ValueError, type Value } from './value.ts'

/** Environment of an evaluation. */
export interface ValueContext extends Omit<ValueWork, 'budget'> {
  /** Returns the value of a name or reference; undefined for an unknown one. */
  valueOf: (name: string) => string | number | boolean | null | undefined
  /** Returns the message for users about an unknown name. */
  unknownName: (name: string) => string
}

/**
 * Evaluates a value expression. Expressions have no loops, cannot access anything outside the context, and can do only a
 * limited amount of work.
 * @returns the result as text, at most 100,000 characters
 * @throws ValueError with a sentence for users
 */
export function evaluateValueExpression(tree: ValueNode, context: ValueContext): string {
  const work: ValueWork = { ...context, budget: new Budget() }
  const result = toText(evaluate(tree, context, work))
  if (result.length > maxTextLength)
    throw new ValueError(`The result has more than ${maxTextLength.toLocaleString('en')} characters.`)
  return result
}

function evaluate(node: ValueNode, context: ValueContext, work: ValueWork): Value {
  switch (node.kind) {
    case 'constant':
      return node.value
    case 'name': {
      const value = context.valueOf(node.name)
      if (value === undefined) throw new ValueError(context.unknownName(node.name))
      return checked(value)
    }
    case 'call':
      return call(node.name, node.arguments, (argument) => evaluate(argument, context, work), work)
  }
}

/** Conditional functions evaluate only the arguments that they need. */
function call(
  name: string,
  given: readonly ValueNode[],
  read: (node: ValueNode) => Value,
  work: ValueWork,
): Value {
  work.budget.spend()
  switch (name) {
    case 'if':
      if (isTrue(read(given[0]!))) return read(given[1]!)
      return given[2] === undefined ? null : read(given[2])
    case 'and':
      return given.every((node) => isTrue(read(node)))
    case 'or':
      return given.some((node) => isTrue(read(node)))
    case 'coalesce': {
      for (const node of given) {
        const value = read(node)
        if (value !== null && value !== '') return value
      }
      return null
    }
    default:
  }
  const values = given.map(read)
  work.budget.spend(...values)
  const result = checked(
    name in operators
      ? operators[name]!(values[0]!, values[1]!)
      : name === 'list'
        ? values
        : (valueFunctions[name] as ValueFunction).compute(values, work),
  )
  work.budget.spend(result)
  return result
}

const operators: Readonly<Record<string, (left: Value, right: Value) => Value>> = {
  '+': (left, right) => sumOf(left, right),
  '-': (left, right) => toNumber(left) - toNumber(right),
  '*': (left, right) => toNumber(left) * toNumber(right),
  '/': (left, right) => toNumber(left) / toNumber(right),
  '^': (left, right) => toNumber(left) ** toNumber(right),
  '&': (left, right) => toText(left) + toText(right),
  '=': (left, right) => compareValues(left, right) === 0,
  '<>': (left, right) => compareValues(left, right) !== 0,
  '<': (left, right) => compareValues(left, right) < 0,
  '<=': (left, right) => compareValues(left, right) <= 0,
  '>': (left, right) => compareValues(left, right) > 0,
  '>=': (left, right) => compareValues(left, right) >= 0,
}

function sumOf(left: Value, right: Value): number {
  try {
    return toNumber(left) + toNumber(right)
  } catch (error) {
    if (error instanceof ValueError) throw new ValueError(`${error.message} Use & to concatenate texts.`)
    throw error
  }
}
