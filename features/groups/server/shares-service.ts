import { sharingErrors } from '@headwater/accounts/contract'
import { findRecipients, type Accounts } from '@headwater/accounts/server'
import { invalidInput, type Page, type ValidationError } from '@headwater/contract'
import type { JobQueue } from '@headwater/jobs'
import {
  formatUtc,
  formatUtcSeconds,
  lastIsoTime,
  parseUtcEnd,
  type Clock,
  type Mailer,
  type Principal,
} from '@headwater/server-kit'
import {
  canShare,
  groupErrors,
  includesAccess,
  joinAccess,
  maxSuggestedEmails,
  ownerMessage,
  type GroupAccessMode,
  type GroupUser,
  type Share,
} from '../contract/index.ts'
import type { DataRange } from './access-scope.ts'
import { hasShareRole, type InternalGroupAccess } from './group-access.ts'
import { readShareRange } from './share-range.ts'
import { ownPath, shareMail, type ShareMail } from './share-mail.ts'
import type { SharesInChange, SharesStore } from './shares-store.ts'

/** Dependencies of the shares of groups. */
export interface SharesServiceDependencies {
  /** Stores shares. */
  store: SharesStore
  /** Checks access to groups. */
  access: InternalGroupAccess
  /** Finds users, and contains the setting for sharing. */
  accounts: Pick<Accounts, 'findUserByName' | 'searchActiveEmails' | 'product'>
  /** Sends the e-mails. */
  mailer: Pick<Mailer, 'send'>
  /** Runs the jobs that send e-mails. */
  jobs: JobQueue
  /** URL of the installation, for links; undefined: e-mails contain only the path. */
  publicUrl: string | undefined
  /** Current time. */
  clock: Clock
}

/** The service of shares. */
export type SharesService = ReturnType<typeof createSharesService>

const mailJob = 'mail-group-share'

/** Creates the service of shares and registers the handler of its e-mails. */
export function createSharesService(deps: SharesServiceDependencies) {
  deps.jobs.handle<ShareMail>(mailJob, {
    run: ({ payload }) => deps.mailer.send(shareMail(payload, deps.publicUrl)),
  })
  return {
    /** Shares groups with users; all shares take effect, or none. */
    share: (principal: Principal, shares: Share[]): Promise<void> => shareGroups(deps, principal, shares),

    /** Removes direct shares of a group. */
    unshare: (principal: Principal, request: { groupName: string; emails: string[] }): Promise<void> =>
      unshareGroup(deps, principal, request),

    /** Returns the users of a group with the source of each access. */
    async listUsers(principal: Principal, name: string): Promise<Page<GroupUser>> {
      const group = await deps.access.require(principal, { name }, 'RS')
      const owner: GroupUser = {
        email: group.owner,
        access: 'RWS',
        source: 'owner',
        sourceId: null,
        expirationDate: null,
        dataStart: null,
        dataEnd: null,
        sharedBy: null,
        sharedOn: null,
      }
      const items = [owner]
      for (const grant of await deps.store.grantsOf(group.id))
        items.push({
          email: grant.userName,
          access: grant.access,
          source: grant.source === 'direct' ? 'share' : 'insight',
          sourceId: grant.source === 'direct' ? null : grant.sourceId,
          expirationDate: grant.endsAt && formatUtcSeconds(grant.endsAt),
          dataStart: grant.range?.from ? formatUtc(grant.range.from) : null,
          dataEnd: grant.range?.to ? formatUtc(grant.range.to) : null,
          sharedBy: grant.sharedBy,
          sharedOn: formatUtcSeconds(grant.sharedAt),
        })
      return { from: 0, totalSize: items.length, items }
    },

    /** Returns e-mail addresses of active users for a caller who can share the group. */
    async searchEmails(principal: Principal, name: string, text: string): Promise<{ emails: string[] }> {
      if (!isSharingEnabled(deps)) throw sharingErrors.sharingOff()
      await deps.access.require(principal, { name }, 'RS')
      return { emails: await deps.accounts.searchActiveEmails(text, maxSuggestedEmails) }
    },

    /** Returns whether the caller can share a group, and the reason if not. */
    async check(principal: Principal, name: string): Promise<{ shareable: boolean; reason: string | null }> {
      const group = await deps.access.require(principal, { name }, 'R')
      const reason = !isSharingEnabled(deps)
        ? sharingErrors.sharingOff().message
        : canShare(group.access) && hasShareRole(principal)
          ? null
          : groupErrors.groupForbidden({ name, mode: 'RS' }).message
      return { shareable: reason === null, reason }
    },
  }
}

function isSharingEnabled({ accounts }: SharesServiceDependencies): boolean {
  return accounts.product.sharing_enabled === 'true'
}

/** A share with its user, its group and parsed dates. */
interface ResolvedShare {
  share: Share
  groupId: number
  userId: number
  endsAt: Date | null
  range: DataRange | null
  path: string
}

async function shareGroups(
  deps: SharesServiceDependencies,
  principal: Principal,
  shares: Share[],
): Promise<void> {
  if (!isSharingEnabled(deps)) throw sharingErrors.sharingOff()
  const resolved = await resolveShares(deps, principal, shares)
  const groupIds = [...new Set(resolved.map(({ groupId }) => groupId))]
  await deps.store.change(groupIds, async (stored) => {
    for (const { share, groupId, userId, endsAt, range: requested, path } of resolved) {
      const { email, message, groupName } = share
      const own = await requireShareAccess(stored, principal, { id: groupId, name: groupName })
      const before = await stored.find(groupId, userId)
      const merged = share.merge ? before : undefined
      const access = merged === undefined ? share.access : joinAccess(share.access, merged.access)
      // A share has one range. All data of the existing share remains readable; if both shares have a range,
      // the new one applies.
      const range = merged?.range === null ? null : requested
      requireIncluded(own, email, before?.access)
      requireIncluded(own, email, access)
      const ends =
        merged === undefined ? endsAt : mergedEnd(merged, { access: share.access, endsAt, range: requested })
      await stored.save({ groupId, userId, access, endsAt: ends, range, sharedBy: principal.userId })
      if (!share.sendMessage) continue
      const mail: ShareMail = {
        to: email,
        sharedBy: principal.userName,
        groupName,
        access,
        range: range === null ? null : { from: isoOf(range.from), to: isoOf(range.to) },
        message,
        path,
      }
      await deps.jobs.enqueue(mailJob, mail, {}, stored.executor)
    }
  })
}

type SharedAccess = NonNullable<Awaited<ReturnType<SharesInChange['find']>>>

/**
 * Returns the end of a share with the access and the data of both shares, so that nothing lasts longer than one of them
 * allows.
 */
function mergedEnd(before: SharedAccess, added: SharedAccess): Date | null {
  const ends = [before.endsAt, added.endsAt].map((end) => end?.getTime() ?? Infinity) as [number, number]
  const [isBeforeCovered, isAddedCovered] = [covers(added, before), covers(before, added)]
  let end = Math.min(...ends)
  if (isBeforeCovered && isAddedCovered) end = Math.max(...ends)
  // If both shares have a range, the new range applies.
  else if (isBeforeCovered || (before.range !== null && added.range !== null)) end = ends[1]
  else if (isAddedCovered) end = ends[0]
  return end === Infinity ? null : new Date(end)
}

/** Returns whether a share grants at least the access and the data of another share. */
function covers(share: SharedAccess, other: SharedAccess): boolean {
  return includesAccess(share.access, other.access) && (share.range === null || isSameRange(share, other))
}

function isSameRange({ range: one }: SharedAccess, { range: other }: SharedAccess): boolean {
  return (
    one?.from?.getTime() === other?.from?.getTime() &&
    one?.to?.getTime() === other?.to?.getTime() &&
    other !== null
  )
}

async function unshareGroup(
  deps: SharesServiceDependencies,
  principal: Principal,
  { groupName, emails }: { groupName: string; emails: string[] },
): Promise<void> {
  // Users can always give up their own share. All other removals require share access.
  const isOwnOnly = emails.every((email) => email === principal.userName)
  const group = await deps.access.require(principal, { name: groupName }, isOwnOnly ? 'R' : 'RS')
  const users = await Promise.all(
    emails.map(async (email) => ({ email, userId: (await deps.accounts.findUserByName(email))?.userId })),
  )
  await deps.store.change([group.id], async (stored) => {
    // Must be read before the user's own share is removed.
    const own = isOwnOnly ? undefined : await requireShareAccess(stored, principal, group)
    for (const { email, userId } of users) {
      if (userId === undefined) continue
      const before = await stored.find(group.id, userId)
      if (before === undefined) continue
      if (own !== undefined && userId !== principal.userId) requireIncluded(own, email, before.access)
      await stored.remove(group.id, userId)
    }
  })
}

/**
 * Finds the groups and users of shares and checks the entries. Entries with the same kind of error cause a single exception.
 */
async function resolveShares(
  deps: SharesServiceDependencies,
  principal: Principal,
  shares: readonly Share[],
): Promise<ResolvedShare[]> {
  const problems: ValidationError[] = []
  const entries: Omit<ResolvedShare, 'userId'>[] = []
  const seen = new Set<string>()
  const groups = new Map<string, Awaited<ReturnType<InternalGroupAccess['require']>>>()
  for (const name of new Set(shares.map(({ groupName }) => groupName)))
    groups.set(name, await deps.access.require(principal, { name }, 'RS'))
  for (const [index, share] of shares.entries()) {
    const group = groups.get(share.groupName)!
    const refuse = (field: keyof Share, message: string) =>
      problems.push({ field: `sharesList[${index}].${field}`, message })
    const endsAt = parseUtcEnd(share.expirationDate) ?? null
    if (endsAt !== null && endsAt <= deps.clock.now())
      refuse('expirationDate', 'This date is in the past. Choose a later date, or none.')
    if (endsAt !== null && endsAt > lastIsoTime)
      refuse('expirationDate', 'The latest date is 9999-12-31 in UTC. Choose an earlier date, or none.')
    const range = readShareRange(share)
    if (range !== null && 'field' in range) refuse(range.field, range.message)
    const path =
      share.url === undefined
        ? `/Lake/Groups/${encodeURIComponent(group.name)}`
        : ownPath(share.url, deps.publicUrl)
    if (path === undefined) refuse('url', 'This URL does not belong to this installation. Enter a path.')
    if (group.owner === share.email) refuse('email', ownerMessage(share.email, group.name))
    else if (share.email === principal.userName)
      refuse('email', 'You cannot change your own access. Ask the owner of the group.')
    const key = JSON.stringify([group.id, share.email])
    if (seen.has(key)) refuse('email', `${share.email} occurs twice. Send one share per user and group.`)
    seen.add(key)
    if (path !== undefined && (range === null || !('field' in range)))
      entries.push({ share, groupId: group.id, endsAt, range, path })
  }
  if (problems.length > 0) throw invalidInput(problems)
  const emails = entries.map(({ share }) => share.email)
  const users = await findRecipients((email) => deps.accounts.findUserByName(email), {
    emails,
    field: 'sharesList',
  })
  const idOf = new Map(users.map(({ email, userId }) => [email, userId]))
  return entries.map((entry) => ({ ...entry, userId: idOf.get(entry.share.email)! }))
}

/** Checks the access again after the lock, because it may have been revoked in the meantime. */
async function requireShareAccess(
  stored: SharesInChange,
  principal: Principal,
  { id, name }: { id: number; name: string },
): Promise<GroupAccessMode> {
  const own = principal.isAdministrator ? 'RWS' : await stored.accessOf(id, principal.userId)
  if (own === undefined) throw groupErrors.groupNotFound({ name })
  if (!canShare(own)) throw groupErrors.groupForbidden({ name, mode: 'RS' })
  return own
}

function isoOf(instant: Date | null): string | null {
  return instant?.toISOString() ?? null
}

function requireIncluded(own: GroupAccessMode, email: string, access: GroupAccessMode | undefined): void {
  if (access !== undefined && !includesAccess(own, access))
    throw groupErrors.shareForbidden({ email, access, own })
}
