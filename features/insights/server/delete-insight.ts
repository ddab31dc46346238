import { commonErrors, type RouteInput } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { deleteInsight as deleteRoute } from '../contract/index.ts'
import { requireEdit, typeOf } from './insight-access.ts'
import type { InsightStorage } from './insight-storage.ts'
import type { StoredInsight } from './insights-read-model.ts'
import { removeUnusedTexts } from './remove-texts.ts'
import { contentBefore } from './save-insight.ts'

/** Number of versions per list request. */
const versionsPage = 1000

/** Deletes an insight with all its versions and the files of its texts and, if requested, its group. */
export async function deleteInsight(
  storage: InsightStorage,
  principal: Principal,
  { groupName, insightName, removeGroup }: RouteInput<typeof deleteRoute>['body'],
): Promise<void> {
  const group = await storage.groups.access.getGroup(principal, groupName, 'RW')
  if (removeGroup) {
    requireEdit(principal, typeOf(await storage.insightFiles.find(group, insightName)))
    if (!principal.can('Lake/Groups', 'RW')) throw commonErrors.forbidden({ what: 'delete groups' })
    await storage.groups.remove(principal, group.name)
    return
  }
  await storage.locks.whileLocked([{ groupId: group.id, insightName }], async () => {
    const stored = await storage.insightFiles.find(group, insightName)
    requireEdit(principal, typeOf(stored))
    const before = await contentBefore(storage, principal, stored)
    await removeVersions(storage, principal, stored)
    await removeUnusedTexts(storage, principal, { group, insightName, before })
  })
}

/**
 * Deletes a version and all earlier ones. A version that was uploaded in the meantime remains. Each version is deleted
 * in its own transaction, the newest one last. After an interruption the latest version remains with a shorter history,
 * and another attempt deletes the rest.
 */
async function removeVersions(
  storage: InsightStorage,
  principal: Principal,
  stored: StoredInsight,
): Promise<void> {
  let from = 0
  for (;;) {
    const { items } = await storage.files.listVersions(principal, stored.fid, { from, size: versionsPage })
    const older = items.filter(({ version }) => version < stored.version)
    for (const { fid } of older) await storage.files.remove(principal, fid)
    if (items.length < versionsPage) break
    from += items.length - older.length
  }
  await storage.files.remove(principal, stored.fid)
}
