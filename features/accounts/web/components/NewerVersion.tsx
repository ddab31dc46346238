import { Time } from '@headwater/web-kit'
import { useSession } from '../use-session.ts'

/** A version that was saved after the edited one. */
export interface SavedVersion {
  /** Number of the version. */
  version: number
  /** User name of the author; null if unknown. */
  author: string | null
  /** Time of the save; undefined if unknown. */
  savedAt?: string | null | undefined
}

/** States the author and time of a newer version of the edited object. It is the text of each dialog about a conflict. */
export function NewerVersion({
  newer: { version, author, savedAt },
  of = '',
  edited,
}: {
  newer: SavedVersion
  /** The part to which the version belongs, for example “ of the metadata”. Default: the edited object. */
  of?: string
  /** The edited version, and whether it was the newest one when it was opened. Default: unknown, the newest. */
  edited?: { version: number; latest?: boolean } | undefined
}) {
  const { userName } = useSession()
  const isOwn = author === userName
  const isInTime = edited?.latest !== false
  const subject = isOwn ? 'You' : author
  return (
    <>
      {edited === undefined ? null : `You are editing version ${edited.version}. `}
      {subject === null ? `Version ${version}${of} was saved` : `${subject} saved version ${version}${of}`}
      {savedAt ? (
        <>
          {' on '}
          <Time value={savedAt} show="datetime" />
        </>
      ) : isInTime ? (
        ' while you edited'
      ) : null}
      {isInTime ? originOf(author, isOwn) : null}.
    </>
  )
}

function originOf(author: string | null, isOwn: boolean): string {
  if (author === null) return ', by another user or by you in another tab'
  return isOwn ? ' in another tab or on another device' : ''
}
