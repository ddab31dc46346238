/** Maximum number of arguments of a function. */
const many = 100
/** Maximum number of timestamps that `lag`, `mean` and `sum` look back. */
const maxWindow = 1000

/** Signature and documentation of a function. */
export interface FunctionRule {
  /** Minimum number of values. */
  least: number
  /** Maximum number of values. */
  most: number
  /** Range and default of the last argument, a whole number. Without a default, the argument is required. */
  count?: { least: number; most: number; default?: number }
  /** Whether a value depends on earlier rows. Default false. */
  looksBack?: boolean
  /** Signature, for example `lag(x, n)`. */
  usage: string
  /** Description of the result, in one sentence. */
  meaning: string
  /** A complete example expression with one input named `x`. */
  example: string
}

/** The only list of functions. Parser, compiler, computation, editor and guide use it. */
const rules = {
  abs: one('abs(x)', 'The value without its sign.', 'abs(x)'),
  sign: one('sign(x)', '-1 for negative values, 0 for zero and 1 for positive values.', 'sign(x)'),
  sqrt: one('sqrt(x)', 'The square root.', 'sqrt(x)'),
  ln: one('ln(x)', 'The natural logarithm; of a ratio, the logarithmic change.', 'ln(x / lag(x))'),
  log10: one('log10(x)', 'The logarithm to base 10.', 'log10(x)'),
  exp: one('exp(x)', 'e to the power of x.', 'exp(x / 100)'),
  floor: one('floor(x)', 'The largest whole number not above the value.', 'floor(x)'),
  ceil: one('ceil(x)', 'The smallest whole number not below the value.', 'ceil(x)'),
  round: {
    ...one(
      'round(x, n)',
      'The value rounded to n decimals (default 0), halves away from zero.',
      'round(x, 2)',
    ),
    count: { least: 0, most: 15, default: 0 },
  },
  min: several('min(x, y, …)', 'The smallest value; missing values are ignored.', 'min(x, 100)'),
  max: several('max(x, y, …)', 'The largest value; missing values are ignored.', 'max(x, 0)'),
  if: {
    least: 2,
    most: 3,
    usage: 'if(condition, x, y)',
    meaning: 'x where the condition is met, otherwise y, or no value if y is omitted.',
    example: 'if(x > 100, 1, 0)',
  },
  coalesce: several('coalesce(x, y, …)', 'The first value that exists.', 'coalesce(x, 0)'),
  isempty: one('isempty(x)', '1 where x has no value, else 0.', 'isempty(x)'),
  and: several('and(a, b, …)', '1 where all conditions are met, else 0.', 'and(x > 0, x < 100)'),
  or: several('or(a, b, …)', '1 where at least one condition is met, else 0.', 'or(x < 0, x > 100)'),
  not: one('not(a)', '1 where the condition is not met, else 0.', 'not(x > 100)'),
  lag: {
    ...one('lag(x, n)', 'The value n timestamps earlier (default 1).', 'x - lag(x, 1)'),
    count: { least: 1, most: maxWindow, default: 1 },
    looksBack: true,
  },
  mean: {
    ...one('mean(x, n)', 'The mean of the last n timestamps, once all of them have a value.', 'mean(x, 20)'),
    count: { least: 1, most: maxWindow },
    looksBack: true,
  },
  sum: {
    ...one('sum(x, n)', 'The sum of the last n timestamps, once all of them have a value.', 'sum(x, 5)'),
    count: { least: 1, most: maxWindow },
    looksBack: true,
  },
} satisfies Record<string, FunctionRule>

function one(usage: string, meaning: string, example: string): FunctionRule {
  return { least: 1, most: 1, usage, meaning, example }
}

function several(usage: string, meaning: string, example: string): FunctionRule {
  return { ...one(usage, meaning, example), most: many }
}

/** Operators, each with its function of two values. */
export const operators = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '^': 'power',
  '=': 'equals',
  '==': 'equals',
  '!=': 'notEquals',
  '<>': 'notEquals',
  '<': 'less',
  '<=': 'lessOrEqual',
  '>': 'greater',
  '>=': 'greaterOrEqual',
} as const

/** Name of a function that is written with parentheses, in lower case. */
export type NamedFunction = keyof typeof rules
/** Name of a function of two values that is written as an operator. */
export type OperatorFunction = (typeof operators)[keyof typeof operators]
/** Name of any function. */
export type ExpressionFunction = NamedFunction | OperatorFunction

/** Functions that are written with parentheses, by name, in the order of the guide. */
export const functionRules: Readonly<Record<NamedFunction, FunctionRule>> = rules

/**
 * List of the functions that have a whole number as their last argument, for messages: “round, lag, mean and sum”. Their
 * nesting has a separate limit.
 */
export const countedFunctions = listOf(
  Object.entries(functionRules).flatMap(([name, { count }]) => (count === undefined ? [] : [name])),
)

function listOf(names: readonly string[]): string {
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)!}`
}

/** Finds a function by its case-insensitive name; undefined if there is none. */
export function findFunction(name: string): { name: NamedFunction; rule: FunctionRule } | undefined {
  const known = name.toLowerCase()
  return isNamedFunction(known) ? { name: known, rule: functionRules[known] } : undefined
}

/** Returns whether this is the lower-case name of a function that is written with parentheses. */
export function isNamedFunction(name: string): name is NamedFunction {
  return Object.hasOwn(rules, name)
}

/** Returns whether this is the name of a function that is written as an operator. */
export function isOperatorFunction(name: string): name is OperatorFunction {
  return (Object.values(operators) as string[]).includes(name)
}
