import { dataRangeText, includesAccess, type GroupAccessMode, type GroupUser } from '../../contract/index.ts'

/** A share in the dialog, including unsaved changes. */
export interface ShareDraft {
  /** E-mail address of the user. */
  email: string
  /** Access of the user. */
  access: GroupAccessMode
  /** Last day of the share, in UTC; empty for never. */
  expiresOn: string
  /** End of the saved share, ISO date-time in UTC; null for never. */
  savedEnd: string | null
  /** Start of the readable data, ISO date-time in UTC; null for no start. */
  dataStart: string | null
  /** End of the readable data, ISO date-time in UTC; null for no end. */
  dataEnd: string | null
  /** Text of the e-mail. */
  message: string
  /** Whether the user receives an e-mail. */
  sendMessage: boolean
}

/** Changes of the shares of a group. */
export interface ShareChanges {
  /** Added and changed shares. */
  shared: (ShareDraft & { isNew: boolean })[]
  /** E-mail addresses of the removed users. */
  removed: string[]
}

/** Names of the accesses in the dialog. */
export const accessNames: Record<GroupAccessMode, string> = {
  R: 'Viewer',
  RWS: 'Editor',
  RW: 'Editor who cannot share',
  RS: 'Viewer who can share',
}

/** Returns the choices of access that a user can give: Viewer and Editor, and the current access of the share. */
export function accessChoices(own: GroupAccessMode, current?: GroupAccessMode): GroupAccessMode[] {
  const offered: GroupAccessMode[] = ['R', 'RWS']
  const choices = current === undefined || offered.includes(current) ? offered : [...offered, current]
  return choices.filter((access) => access === current || includesAccess(own, access))
}

/** Returns the limits of the readable data for days in UTC, including the last one; empty for no limit. */
export function rangeOfDays(from: string, to: string): Pick<ShareDraft, 'dataStart' | 'dataEnd'> {
  const dayAfter = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString()
  return {
    dataStart: from === '' ? null : `${from}T00:00:00`,
    dataEnd: to === '' ? null : dayAfter(to).slice(0, 19),
  }
}

/** Returns the direct shares of a group as drafts. */
export function draftsOf(users: readonly GroupUser[]): ShareDraft[] {
  return users
    .filter(({ source }) => source === 'share')
    .map(({ email, access, expirationDate, dataStart, dataEnd }) => ({
      email,
      access,
      dataStart,
      dataEnd,
      expiresOn: expirationDate?.slice(0, 10) ?? '',
      savedEnd: expirationDate,
      message: '',
      sendMessage: false,
    }))
}

/** Returns the drafts with added shares; a share of the same user is replaced. */
export function addDrafts(drafts: readonly ShareDraft[], added: readonly ShareDraft[]): ShareDraft[] {
  const emails = new Set(added.map(({ email }) => email))
  return [...drafts.filter(({ email }) => !emails.has(email)), ...added].toSorted((a, b) =>
    a.email.localeCompare(b.email, 'en'),
  )
}

/** Describes a share, such as “Viewer, only data from 1 March 2026 (UTC), until 2026-12-31”. */
export function shareText({
  access,
  expiresOn,
  ...range
}: Pick<ShareDraft, 'access' | 'expiresOn' | 'dataStart' | 'dataEnd'>): string {
  const data = dataRangeText(range)
  return [
    accessNames[access],
    ...(data === '' ? [] : [`only data ${data}`]),
    ...(expiresOn === '' ? [] : [`until ${expiresOn}`]),
  ].join(', ')
}

/** Returns the text to show instead of an empty list of shares. */
export function emptyText(saved: readonly ShareDraft[]): string {
  return saved.length === 0 ? 'Not shared with anyone yet.' : 'All shares are removed when you save.'
}

/** Returns the current step of the dialog, and whether there are unsaved changes. */
export function stepText({ isAdding, hasChanges }: { isAdding: boolean; hasChanges: boolean }): string {
  if (isAdding) return 'Step 2 of 2: add users'
  return hasChanges ? 'Step 1 of 2: users, with unsaved changes' : 'Step 1 of 2: users'
}

/** Returns the end of a share to send: the saved time, unless its day was changed. */
export function endOf({ expiresOn, savedEnd }: Pick<ShareDraft, 'expiresOn' | 'savedEnd'>): string | null {
  if (savedEnd?.slice(0, 10) === expiresOn) return savedEnd
  return expiresOn === '' ? null : expiresOn
}

/** Returns the changes to save. */
export function changesOf(saved: readonly ShareDraft[], drafts: readonly ShareDraft[]): ShareChanges {
  const before = new Map(saved.map((draft) => [draft.email, draft]))
  const emails = new Set(drafts.map(({ email }) => email))
  const isChanged = (draft: ShareDraft) => {
    const old = before.get(draft.email)
    if (old === undefined || draft.sendMessage) return true
    const fields = ['access', 'expiresOn', 'dataStart', 'dataEnd'] as const
    return fields.some((field) => old[field] !== draft[field])
  }
  return {
    shared: drafts.filter(isChanged).map((draft) => ({ ...draft, isNew: !before.has(draft.email) })),
    removed: saved.filter(({ email }) => !emails.has(email)).map(({ email }) => email),
  }
}
