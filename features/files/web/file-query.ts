import { isUuid } from '@headwater/contract'
import { freeTextQuery } from '@headwater/web-kit'

/** The query of a file search for what a user typed: an id becomes `uuid=`, plain text a wildcard, pairs stay. */
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
