import { invalidInput } from '@headwater/contract'
import type { FieldMap } from '@headwater/files/contract'
import { encodeTags, insightErrors } from '../contract/index.ts'

/** Maximum length of a metadata field of a file. */
const maxFieldCharacters = 4000

/** Fields that only separate routes can change. */
const ownFields = new Set([
  'insight_type',
  'insightShared',
  'public_view',
  'public_view_expiration',
  'renamed_from',
  'moved_here',
])

/** Returns whether clients can set a field with a save. */
export function isFree({ name }: { name: string }): boolean {
  return !ownFields.has(name)
}

/**
 * Rejects invalid settings of the form that precedes an insight.
 * @throws selfActivationNotValid
 */
export function checkSelfActivation(fields: Record<string, unknown>): void {
  const required = fields.is_self_activation_required ?? ''
  const tiles = fields.self_activation_tiles ?? ''
  const isValid = ['', 'true', 'false'].includes(required as string) && /^[0-4]?$/.test(tiles as string)
  if (!isValid) throw insightErrors.selfActivationNotValid()
}

/** Returns the stored description and tags; absent values are omitted. */
export function infoFields({ description, tags }: { description?: string; tags?: string[] }): FieldMap {
  const encoded = tags && encodeTags(tags)
  if (encoded !== undefined && encoded.length > maxFieldCharacters)
    throw invalidInput([
      { field: 'tags', message: 'The tags are too long in total. Use fewer or shorter tags.' },
    ])
  return {
    ...(description === undefined ? {} : { description }),
    ...(encoded === undefined ? {} : { tags: encoded }),
  }
}
