import { isUuid } from '@headwater/contract'
import { freeTextQuery } from '@headwater/web-kit'

/**
 * Returns the query of a file search for a typed text: an id becomes `uuid=`, plain text gets wildcards, pairs stay
 * unchanged.
 */
export function fileQuery(
  text: string,
  { groupName, latest }: { groupName?: string | undefined; latest: boolean },
): string {
  const typed = text.trim()
  const parts: string[] = []
  if (isUuid(typed)) parts.push(`uuid=${typed.toLowerCase()}`)
  else if (typed !== '') parts.push(freeTextQuery(typed))
  if (groupName !== undefined) parts.push(`groupName=${groupName}`)
  if (latest && !isUuid(typed)) parts.push('latest=true')
  return parts.join('&')
}
