import { countOf } from '@headwater/contract'
import { formatUtcSeconds, type EventEmitter, type Executor, type Principal } from '@headwater/server-kit'
import { groupName, trashErrors, type DeletedObject, type GroupContentsCount } from '../contract/index.ts'
import type { InternalGroupAccess } from './group-access.ts'
import type { InternalGroupContents } from './group-contents.ts'
import { parseNewName, purgeInBatches, type TrashBin } from './trash-bin.ts'
import type { TrashedGroup, TrashedGroupsStore } from './trashed-groups.ts'

/** Dependencies of the trash of groups. */
export interface GroupsTrashDependencies {
  /** Stores deleted groups. */
  store: TrashedGroupsStore
  /** Forgets cached groups. */
  access: Pick<InternalGroupAccess, 'forget'>
  /** Clears the series of permanently deleted groups. */
  contents: Pick<InternalGroupContents, 'enqueueClear'>
  /** Emitted in the transaction that restores a group. */
  restored: EventEmitter<[groupId: number, executor: Executor]>
}

/** Creates the trash of groups. Only the owner and administrators can see and restore a deleted group. */
export function createGroupsTrash({ store, access, contents, restored }: GroupsTrashDependencies): TrashBin {
  async function require(principal: Principal, id: string): Promise<TrashedGroup> {
    const group = /^\d{1,15}$/.test(id) ? await store.find(Number(id)) : undefined
    if (group === undefined || (group.ownerId !== principal.userId && !principal.isAdministrator))
      throw trashErrors.notInTrash()
    return group
  }

  const clear = (groupId: number, executor: Executor) => contents.enqueueClear(groupId, executor)

  return {
    async list(principal, query) {
      const ownerId = principal.isAdministrator ? 'everybody' : principal.userId
      const { groups, total } = await store.list({ ownerId, query })
      return { total, items: groups.map(toDeleted) }
    },
    async restore(principal, id, newName) {
      const given = parseNewName(groupName, newName)
      const group = await require(principal, id)
      const name = given ?? group.name
      const outcome = await store.restore(group.id, name, (groupId, executor) =>
        restored.emit(groupId, executor),
      )
      if (outcome === 'nameTaken') throw trashErrors.nameTaken({ name })
      if (outcome === 'notInTrash') throw trashErrors.notInTrash()
      access.forget(name)
      return { id, name, groupName: name, isBeingRestored: false }
    },
    async remove(principal, id) {
      const group = await require(principal, id)
      if (!(await store.remove(group.id, clear))) throw trashErrors.notInTrash()
    },
    purge: (before) =>
      purgeInBatches<number>(
        (except) => store.listDeletedBefore(before, except),
        async ([id]) => ((await store.remove(id!, clear)) ? [id!] : []),
      ),
  }
}

function toDeleted(group: TrashedGroup): DeletedObject {
  return {
    id: String(group.id),
    name: group.name,
    keys: null,
    groupName: group.name,
    owner: group.owner,
    deletedBy: group.deletedBy,
    deletedAt: formatUtcSeconds(group.deletedAt),
    sizeBytes: null,
    content: group.contents === null ? '' : contentText(group.contents),
    file: null,
    isBeingRestored: false,
    message: '',
    canRestore: true,
  }
}

function contentText({ files, insights, symbols, dataPreps, pipelines, tasks }: GroupContentsCount): string {
  const parts: [number, string][] = [
    [files - insights, 'file'],
    [insights, 'insight'],
    [symbols, 'symbol'],
    [dataPreps, 'data prep'],
    [pipelines, 'pipeline'],
    [tasks, 'task'],
  ]
  const texts = parts.filter(([count]) => count > 0).map(([count, noun]) => countOf(count, noun))
  return texts.length === 0 ? 'Empty' : texts.join(', ')
}
