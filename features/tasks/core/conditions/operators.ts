/** Operators of visibility conditions, each with its spellings. A test compares this table with the list in the decision. */
const spellings = {
  equals: [
    '=',
    '==',
    '===',
    'eq',
    'equal',
    'equals',
    'equal to',
    'equals to',
    'is',
    'is equal',
    'is equal to',
  ],
  notEquals: [
    '!=',
    '!==',
    '<>',
    '≠',
    'ne',
    'neq',
    'is not',
    'not',
    'not equal',
    'not equals',
    'not equal to',
    'is not equal to',
    'does not equal',
  ],
  greater: [
    '>',
    'gt',
    'greater',
    'greater than',
    'is greater',
    'is greater than',
    'more',
    'more than',
    'above',
  ],
  greaterOrEqual: [
    '>=',
    '=>',
    '≥',
    'ge',
    'gte',
    'greater equal',
    'greater equals',
    'greater or equal',
    'greater or equals',
    'greater or equal to',
    'greater than or equal',
    'greater than or equal to',
    'is greater than or equal to',
    'at least',
    'min',
  ],
  less: [
    '<',
    'lt',
    'less',
    'less than',
    'is less',
    'is less than',
    'lower',
    'lower than',
    'below',
    'smaller than',
  ],
  lessOrEqual: [
    '<=',
    '=<',
    '≤',
    'le',
    'lte',
    'less equal',
    'less equals',
    'less or equal',
    'less or equals',
    'less or equal to',
    'less than or equal',
    'less than or equal to',
    'is less than or equal to',
    'at most',
    'max',
  ],
  notNull: [
    'not null',
    'is not null',
    'non null',
    '!null',
    '!= null',
    'not empty',
    'is not empty',
    'not blank',
    'exists',
    'is set',
    'set',
    'has value',
  ],
  isNull: [
    'null',
    'is null',
    '= null',
    '== null',
    'empty',
    'is empty',
    'blank',
    'is blank',
    'not set',
    'is not set',
    'not exists',
    'unset',
  ],
  oneOf: ['one of', 'is one of', 'any of', 'is any of', 'in', 'is in', 'in list', 'among'],
  includes: ['includes', 'include', 'contains', 'contain', 'has', 'like', '~'],
  notIncludes: [
    'not includes',
    'not include',
    '!includes',
    'does not include',
    'excludes',
    'exclude',
    'not contains',
    'not contain',
    '!contains',
    'does not contain',
    'has not',
    'not like',
    '!~',
  ],
} as const satisfies Record<string, readonly string[]>

/** Operator of a visibility condition. */
export type ConditionOperator = keyof typeof spellings

/** The accepted spellings of each operator. Letter case, spaces, `_` and `-` do not matter. */
export const operatorSpellings: Readonly<Record<ConditionOperator, readonly string[]>> = spellings

const bySpelling = new Map<string, ConditionOperator>(
  Object.entries(spellings).flatMap(([name, texts]) => {
    const operator = name as ConditionOperator
    return [name, ...texts].map((text): [string, ConditionOperator] => [normalized(text), operator])
  }),
)

/** Returns the operator with this spelling; undefined if there is none. */
export function findOperator(spelling: string): ConditionOperator | undefined {
  return bySpelling.get(normalized(spelling))
}

function normalized(spelling: string): string {
  return spelling.toLowerCase().replaceAll(/[\s_-]/g, '')
}
