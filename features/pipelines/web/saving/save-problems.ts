import { ApiError, errorMessage } from '@headwater/web-kit'

/** Fields of the form that saves a pipeline. */
export type SaveField = 'name' | 'groupName' | 'tags'

/** Problems of a failed save. */
export interface SaveProblems {
  /** Problems that belong to a field of the form. */
  fields: Partial<Record<SaveField, string>>
  /** The message of the failure, and the validation messages of fields that the form does not have. */
  messages: string[]
}

/** Returns the problems of a failed save. Only the first problem of a field is returned. */
export function saveProblems(error: unknown): SaveProblems {
  const problems: SaveProblems = { fields: {}, messages: [errorMessage(error)] }
  if (!(error instanceof ApiError)) return problems
  for (const { field, message } of error.validationErrors) {
    const known = fieldOf(field)
    if (known === undefined) problems.messages.push(message)
    else problems.fields[known] ??= message
  }
  problems.messages = [...new Set(problems.messages)]
  return problems
}

/** Returns all messages of a failed save, for saves without a form. */
export function allMessages(error: unknown): string[] {
  const validation = error instanceof ApiError ? error.validationErrors.map(({ message }) => message) : []
  return [...new Set([errorMessage(error), ...validation])]
}

/** The server names the fields of a pipeline with or without `pipeline.`. */
function fieldOf(field: string): SaveField | undefined {
  const name = field.replace(/^(body\.)?(pipeline\.)?/, '')
  if (name === 'name' || name === 'groupName') return name
  return /(^|\.)tags(\[|\.|$)/.test(name) ? 'tags' : undefined
}
