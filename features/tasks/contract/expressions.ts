import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import { valueTypes } from './value-types.ts'

/** Maximum length of a parameter value when an expression is checked, in characters. */
const maxCheckedLength = 10_000

/** Evaluates an expression of a parameter outside a run. */
export const processTaskExpression = defineRoute({
  name: 'processTaskExpression',
  method: 'POST',
  isAudited: false,
  path: '/mgmt/task/expression',
  summary:
    'Evaluates the expression of a parameter for the editor. Values of earlier tasks and triggers exist only in runs.',
  permission: { resource: 'Science', mode: 'R' },
  body: z.object({
    paramName: z.string().min(1).max(200).describe('Name of the parameter with the expression.'),
    params: z
      .array(
        z.object({
          name: z.string().max(200).describe('Name of a parameter.'),
          value: z
            .string()
            .max(maxCheckedLength)
            .default('')
            .describe('Value of the parameter. Default: empty.'),
          valueType: z.enum(valueTypes).default('TEXT').describe('Type of the value. Default TEXT.'),
        }),
      )
      .max(100)
      .default([])
      .describe('Parameters of the task; the expression can use their values. Default: none.'),
    value: z.string().max(maxCheckedLength).describe('The expression.'),
  }),
  output: z.object({
    response: z.string().describe('The result as a string, or `ERROR`.'),
    message: z
      .string()
      .describe('The error, or a note that the result is known only in a run; otherwise empty.'),
  }),
})
