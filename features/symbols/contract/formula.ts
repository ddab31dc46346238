import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { inputNamePattern, maxExpressionLength } from '@headwater/formula'
import { maxSymbolKeys, symbol, symbolMap } from './symbol.ts'

/** Maximum number of inputs of a formula. */
export const maxFormulaInputs = 20
/** Maximum nesting depth of formulas; 1 is a formula of uploaded series only. */
export const maxFormulaDepth = 5
/** Maximum number of formulas in a group. */
export const maxGroupFormulas = 100
/** Maximum number of values in a preview. */
export const maxPreviewValues = 1000

/** Joins of the timestamps of a formula's inputs. */
export const formulaJoins = ['INNER', 'OUTER', 'PREVIOUS'] as const
/** One of {@link formulaJoins}. */
export type FormulaJoin = (typeof formulaJoins)[number]

const completeSymbol = symbolMap.refine(
  (map) => Object.keys(map).length > 0 && Object.keys(map).length <= maxSymbolKeys,
  `A symbol has 1 to ${maxSymbolKeys} keys.`,
)

/** A series that is an input of a formula. */
export const formulaInput = z.object({
  name: z
    .string()
    .regex(
      inputNamePattern,
      'A name must consist of letters, digits and _, cannot begin with a digit, and can have at most 40 characters.',
    )
    .describe(
      'Name of the input in the expression: letters, digits and _, not beginning with a digit, at most 40 characters; unique regardless of case.',
    ),
  groupName: z.string().max(200).describe('Group of the series; the caller needs read access.'),
  symbols: completeSymbol.describe('Complete keys and values of the series, exactly as stored.'),
  column: z.string().max(1000).describe('Its value column, of the type double or integer.'),
})
/** A parsed {@link formulaInput}. */
export type FormulaInput = z.output<typeof formulaInput>

const definition = z.object({
  expression: z
    .string()
    .trim()
    .min(1, 'Write an expression.')
    .max(maxExpressionLength)
    .describe(
      `The expression to compute, for example \`(brent - wti) / 2\`; at most ${maxExpressionLength} characters. The formula guide lists operators and functions.`,
    ),
  inputs: z
    .array(formulaInput)
    .min(1, 'A formula needs at least one input.')
    .max(maxFormulaInputs)
    .describe(
      `The series that the expression names, 1 to ${maxFormulaInputs}. Inputs that the expression does not use still affect the timestamps.`,
    ),
  join: z
    .string()
    .transform((text) => text.toUpperCase())
    .pipe(z.enum(formulaJoins))
    .default('INNER')
    .describe(
      'INNER: values only at timestamps at which all inputs have one. OUTER: values at timestamps at which any input has one; the others are empty. PREVIOUS: like OUTER, but the others keep their previous value. Case-insensitive; default INNER.',
    ),
})

const formulaBody = definition.extend({
  groupName: z.string().max(200).describe('Group of the formula; the caller needs write access.'),
  symbols: symbolMap
    .refine(
      (map) =>
        Object.entries(map).every(
          ([key, value]) => key.trim() !== '' && key.length <= 1000 && value !== '' && value.length <= 1000,
        ),
      'Names of keys and values have 1 to 1000 characters.',
    )
    .refine(
      (map) => Object.keys(map).length > 0 && Object.keys(map).length <= maxSymbolKeys,
      `A symbol has 1 to ${maxSymbolKeys} keys.`,
    )
    .describe('Keys and values that identify the formula, like those of any other symbol.'),
  column: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .default('Value')
    .describe('Name of the value column of the computed values, which are doubles. Default Value.'),
})
/** The parsed body of {@link createFormula} and {@link changeFormula}. */
export type FormulaBody = z.output<typeof formulaBody>

/** States of an input of a formula. */
export const formulaInputStates = ['READY', 'MISSING', 'FORBIDDEN'] as const

/** A stored formula. */
export const formula = z.object({
  groupName: z.string().describe('Group of the formula.'),
  symbols: symbolMap.describe('Its keys and values.'),
  column: z.string().describe('Name of its value column.'),
  expression: z.string().describe('The expression that is computed.'),
  join: z.enum(formulaJoins).describe('How the timestamps of the inputs are joined.'),
  inputs: z
    .array(
      z.object({
        name: z.string().describe('Name in the expression.'),
        state: z
          .enum(formulaInputStates)
          .describe(
            'READY. MISSING: the series or its column does not exist; the formula has no values until it does. FORBIDDEN: the caller cannot read the input and therefore sees no values.',
          ),
        groupName: z.string().optional().describe('Group of the series; absent when forbidden or deleted.'),
        symbols: symbolMap.optional().describe('Keys and values of the series; absent when forbidden.'),
        column: z.string().optional().describe('Its value column; absent when forbidden.'),
      }),
    )
    .describe('Inputs in their order.'),
})
/** A parsed {@link formula}. */
export type Formula = z.output<typeof formula>

const writing = { resource: 'Storage/Data', mode: 'RW' } as const

/** Route that creates a formula. */
export const createFormula = defineRoute({
  name: 'createFormula',
  method: 'POST',
  path: '/ts/formula',
  summary:
    'Creates a symbol whose values are computed from other series at each query. Needs write access to the group and read access to all inputs.',
  permission: writing,
  allowsRunTokens: true,
  body: formulaBody,
  output: symbol,
  errors: ['groupNotFound', 'groupForbidden', 'symbolExists', 'tooManyFormulas'],
})

/** Route that changes a formula. */
export const changeFormula = defineRoute({
  name: 'changeFormula',
  method: 'PUT',
  path: '/ts/formula',
  summary:
    'Changes the formula that `groupName` and `symbols` identify. The change applies to all of its values immediately.',
  permission: writing,
  allowsRunTokens: true,
  body: formulaBody,
  output: symbol,
  errors: ['groupNotFound', 'groupForbidden', 'formulaNotFound'],
})

/** Route that returns a formula. */
export const findFormula = defineRoute({
  name: 'findFormula',
  method: 'POST',
  isAudited: false,
  path: '/ts/formula/find',
  summary: 'Returns a formula with its expression and inputs. A formula is removed like any other symbol.',
  permission: 'signed-in',
  allowsRunTokens: true,
  body: z.object({
    groupName: z.string().max(200).describe('Group of the formula.'),
    symbols: completeSymbol.describe('Its complete keys and values, exactly as stored.'),
  }),
  output: formula,
  errors: ['groupNotFound', 'groupForbidden', 'formulaNotFound'],
})

/** Route that computes an unsaved formula. */
export const previewFormula = defineRoute({
  name: 'previewFormula',
  method: 'POST',
  isAudited: false,
  path: '/ts/formula/preview',
  summary: 'Returns the newest values that a formula would have, without saving it.',
  permission: 'signed-in',
  allowsRunTokens: true,
  body: definition.extend({
    size: z
      .int()
      .min(1)
      .max(maxPreviewValues)
      .default(500)
      .describe(`Number of values, 1 to ${maxPreviewValues}, default 500.`),
  }),
  output: z.object({
    timestamps: z.array(z.number()).describe('UTC milliseconds, the oldest first.'),
    values: z.array(z.number()).describe('The values at these timestamps.'),
  }),
  errors: ['seriesUnavailable', 'queryRefused'],
})
