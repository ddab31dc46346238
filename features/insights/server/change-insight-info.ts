import type { RouteInput } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import { insightErrors, type InsightSummary, type patchInsight as patchRoute } from '../contract/index.ts'
import { checkSelfActivation, isFree } from './insight-fields.ts'
import type { InsightStorage } from './insight-storage.ts'
import { isPublic, nameOf, toSummary } from './insight-summary.ts'
import type { StoredInsight } from './insights-read-model.ts'

/**
 * Changes description, tags, logo and other fields of an insight without a new version.
 * @throws logoNotFound, saveWouldPublish, selfActivationNotValid
 */
export async function changeInsightInfo(
  storage: InsightStorage,
  principal: Principal,
  { groupName, insightName, fields }: RouteInput<typeof patchRoute>['body'],
): Promise<InsightSummary> {
  const { group, stored } = await storage.insightAccess.toEdit(principal, { groupName, insightName })
  const free = fields.filter(isFree)
  checkSelfActivation(Object.fromEntries(free.map(({ name, value }) => [name, value] as const)))
  for (const { name, value } of free)
    if (name === 'logo' && typeof value === 'string' && value !== '')
      await requireLogo(storage, principal, stored, value)
  return storage.locks.whileLocked([{ groupId: group.id, insightName }], async () => {
    // Another save may have created a newer version while this call waited for the lock.
    if (free.length > 0)
      await storage.files.update(principal, (await storage.insightFiles.find(group, insightName)).fid, free)
    return toSummary(await storage.insightFiles.find(group, insightName), true, storage.clock.now())
  })
}

/**
 * Setting the logo of a public insight publishes the picture, so the user needs read access to it and permission to
 * publish it.
 */
async function requireLogo(
  storage: InsightStorage,
  principal: Principal,
  stored: StoredInsight,
  fid: string,
): Promise<void> {
  const logo = await unlessRefused(storage.files.getReadable(principal, fid))
  if (logo === undefined) throw insightErrors.logoNotFound()
  if (!isPublic(stored, storage.clock.now())) return
  if ((await unlessRefused(storage.groups.access.getGroupById(principal, logo.groupId, 'RWS'))) === undefined)
    throw insightErrors.saveWouldPublish({ name: nameOf(stored), groups: [logo.groupName] })
}
