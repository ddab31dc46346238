import { configureValidationMessages } from '@headwater/contract'
import type { z } from 'zod'

configureValidationMessages()

/** Validation error of a field. */
export interface FieldProblem {
  /** Path of the field with dots between its parts; empty for the value itself. */
  field: string
  /** Message for users. */
  message: string
}

/** Returns the validation errors of a value in the order of its fields; empty if it is valid. */
export function fieldProblems(schema: z.ZodType, value: unknown): FieldProblem[] {
  const issues = schema.safeParse(value).error?.issues ?? []
  return issues.map(({ path, message }) => ({ field: path.join('.'), message }))
}
