import type { Accounts } from '@headwater/accounts/server'
import { seriesSerialKey, type Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import type { Insights } from '@headwater/insights/server'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Preps } from '@headwater/preps/server'
import type { Publishing } from '@headwater/publishing/server'
import type { Reports } from '@headwater/reports/server'
import type { Symbols } from '@headwater/symbols/server'
import type { Tasks } from '@headwater/tasks/server'

/** The features with contents of groups. */
export interface ConnectedFeatures {
  groups: Groups
  files: Files
  symbols: Symbols
  preps: Preps
  tasks: Tasks
  pipelines: Pipelines
  insights: Insights
  publishing: Publishing
  reports: Reports
}

/** Connects files with the features that follow their changes. */
export function connectFiles({
  files: { changes },
  symbols,
  pipelines,
  insights,
}: Pick<ConnectedFeatures, 'files' | 'symbols' | 'pipelines' | 'insights'>): void {
  changes.arrived.subscribe(pipelines.onFileArrived)
  changes.arrived.subscribe(insights.onFileArrived)
  // The restoration of a file starts no pipeline.
  changes.restored.subscribe(insights.onFileArrived)
  changes.moved.subscribe(insights.onFileMoved)
  changes.deleted.subscribe((file, executor) => symbols.removeFiles([file.id], executor))
  changes.deleted.subscribe(insights.onFileDeleted)
  changes.purged.subscribe((fileIds, executor) => symbols.forgetFiles(fileIds, executor))
  changes.afterDeletion.subscribe((fileIds) => symbols.hideFiles(fileIds))
}

/** Returns the deleted objects that the trash lists, with the entitlement that each kind needs. */
export function trashSources({
  groups,
  files,
  symbols,
}: Pick<ConnectedFeatures, 'groups' | 'files' | 'symbols'>) {
  return {
    groups: { bin: groups.trash, resource: 'Lake/Groups' },
    files: { bin: files.trash, resource: 'Lake/Files' },
    symbols: { bin: symbols.trash, resource: 'Storage/Data' },
  }
}

/** Connects groups with the features that store their contents: counts, deletion and restoration. */
export function connectGroups(features: ConnectedFeatures): void {
  const { groups, files, symbols, preps, tasks, pipelines, insights, publishing, reports } = features
  const { contents } = groups
  contents.addCount(async ({ id }) => ({ files: await files.countIn(id) }))
  contents.addCount(async ({ id }) => ({ symbols: await symbols.countIn(id) }))
  contents.addCount(async ({ scope }) => ({ dataPreps: await preps.countIn(scope) }))
  contents.addCount(async ({ scope }) => ({ tasks: await tasks.countIn(scope) }))
  contents.addCount(async ({ scope }) => ({ pipelines: await pipelines.countIn(scope, {}) }))
  contents.addCount(async ({ scope }) => ({ insights: await insights.countIn(scope) }))
  contents.addCount(async ({ name }) => ({ publicViews: await publishing.countPublicViews(name) }))
  contents.addCount(async ({ scope }) => ({ emailExports: await reports.countIn(scope) }))
  contents.connectSeries({
    groupIdsWithSymbols: (limited) => symbols.groupIdsWithSymbols(limited),
    clear: (groupId) => symbols.removeGroup(groupId),
    serialKey: seriesSerialKey,
  })

  contents.connectPublic(() => publishing.publicGroupNames())

  // Runs stop before their unfinished files are abandoned.
  groups.deleted.subscribe((groupId, executor) => pipelines.onGroupDeleted(groupId, executor))
  groups.deleted.subscribe((groupId, executor) => preps.onGroupDeleted(groupId, executor))
  groups.deleted.subscribe(files.onGroupDeleted)
  groups.deleted.subscribe(async (groupId, executor) =>
    groups.suspendGrants(groupId, await insights.items.listIds(groupId, executor), executor),
  )
  groups.restored.subscribe(files.onGroupRestored)
  groups.restored.subscribe((groupId, executor) => preps.onGroupRestored(groupId, executor))
  groups.restored.subscribe((groupId, executor) => pipelines.onGroupRestored(groupId, executor))
}

/** Returns whether deleted objects can be restored: in warehouse-only mode (decision 0150). */
export function hasTrash(accounts: Pick<Accounts, 'product'>): boolean {
  return accounts.product.warehouse_only === 'true'
}
