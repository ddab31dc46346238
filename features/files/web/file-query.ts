/** Whether a text is the id of a file. */
export function isFileId(text: string): boolean {
  return uuid.test(text.trim())
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The query of a file search for what a user typed: an id becomes `uuid=`, plain text a wildcard, pairs stay. */
export function fileQuery(
  text: string,
  { groupName, latest }: { groupName?: string | undefined; latest: boolean },
): string {
  const typed = text.trim()
  const parts: string[] = []
  if (uuid.test(typed)) parts.push(`uuid=${typed.toLowerCase()}`)
  else if (typed !== '') parts.push(typed.includes('=') ? typed : `*${typed}*`)
  if (groupName !== undefined) parts.push(`groupName=${groupName}`)
  if (latest && !uuid.test(typed)) parts.push('latest=true')
  return parts.join('&')
}
