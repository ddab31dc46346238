import type { FieldMap } from '../contract/index.ts'

/** An edited metadata field; a list is text with commas. */
export interface DraftField {
  /** Name of the field. */
  name: string
  /** Its value. */
  value: string
}

/** Returns metadata as fields to edit. */
export function draftOf(fields: FieldMap): DraftField[] {
  return Object.entries(fields).map(([name, value]) => ({ name, value: textOf(value) }))
}

/**
 * Returns the edits as fields to send: new and changed ones, and an empty value for each removed one. Fields that were not
 * edited are omitted, so that other users' changes to them are preserved. Fields without a name are ignored.
 */
export function changedFields(before: FieldMap, draft: readonly DraftField[]): DraftField[] {
  const named = draft.filter(({ name }) => name.trim() !== '')
  const names = new Set(named.map(({ name }) => name))
  // All fields with a repeated name are sent, so that the server reports the name.
  const isRepeated = (name: string) => named.filter((field) => field.name === name).length > 1
  const edited = named.filter(
    ({ name, value }) => !Object.hasOwn(before, name) || textOf(before[name]!) !== value || isRepeated(name),
  )
  const removed = Object.keys(before).filter((name) => !names.has(name))
  return [...edited, ...removed.map((name) => ({ name, value: '' }))]
}

/** Returns the value of a metadata field as text. */
export function textOf(value: string | string[]): string {
  return typeof value === 'string' ? value : value.join(', ')
}
