import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { valueTypes } from './value-types.ts'

/** Maximum length of the value of a parameter in the check of an expression, in characters. */
const maxCheckedLength = 10_000

/** Evaluates an expression of a parameter, without a run. */
export const processTaskExpression = defineRoute({
  name: 'processTaskExpression',
  method: 'POST',
  isAudited: false,
  path: '/mgmt/task/expression',
  summary:
    'Evaluates the expression of a parameter for its editor. Values of earlier tasks and triggers exist in runs only.',
  permission: { resource: 'Science', mode: 'R' },
  body: z.object({
    paramName: z.string().min(1).max(200).describe('Name of the parameter with the expression.'),
    params: z
      .array(
        z.object({
          name: z.string().max(200).describe('Name of a parameter.'),
          value: z.string().max(maxCheckedLength).default('').describe('Its value. Default: empty.'),
          valueType: z.enum(valueTypes).default('TEXT').describe('Type of its value. Default TEXT.'),
        }),
      )
      .max(100)
      .default([])
      .describe('Parameters of the task; the expression can use their values. Default: none.'),
    value: z.string().max(maxCheckedLength).describe('The expression.'),
  }),
  output: z.object({
    response: z.string().describe('The result as a text, or `ERROR`.'),
    message: z
      .string()
      .describe('The error, or the values that are known only in a run, as a sentence; otherwise empty.'),
  }),
})
