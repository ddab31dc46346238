import { AppError, isUuid } from '@headwater/contract'
import { canWrite } from '@headwater/groups/contract'
import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
import type { Principal } from '@headwater/server-kit'
import type { ItemErrors } from '../contract/index.ts'
import type { ItemStore, SaveOutcome, StoredItem } from './items.ts'

/** Identifies an item in a request: by its id, or by group and name. */
export type ItemName = { id: string } | { groupName: string; name: string }

/** An item that the caller can use, with its group. */
export interface AccessibleItem<Item> {
  /** The item. */
  item: Item
  /** Its group. */
  group: AccessibleGroup
}

/** Access to the items of one kind. */
export interface ItemAccess<Item> {
  /** Returns a version of an item and its group; throws unless the caller has access. */
  require(
    principal: Principal,
    by: ItemName,
    mode: 'R' | 'RW',
    version?: number,
  ): Promise<AccessibleItem<Item>>
  /** Returns the target group of a save; throws unless the caller can change its contents. */
  requireGroup(principal: Principal, group: string): Promise<AccessibleGroup>
  /**
   * Throws unless a save succeeded.
   * @param wanted the item of the request, and the target of the save
   */
  requireSaved(
    principal: Principal,
    outcome: SaveOutcome | 'created',
    wanted: { id: string; name: string; group: string },
  ): Promise<void>
  /** Returns the error for an item that does not exist. */
  notFound(by: ItemName, version?: number): AppError
}

/** Derives access to items from access to their groups; all kinds follow the same rules. */
export function itemAccess<Item extends StoredItem<unknown>>({
  store,
  groups,
  errors,
}: {
  store: { find: (...by: Parameters<ItemStore<unknown>['find']>) => Promise<Item | undefined> }
  groups: GroupAccess
  errors: ItemErrors
}): ItemAccess<Item> {
  function notFound(by: ItemName, version?: number): AppError {
    const named = 'id' in by ? by.id : `“${by.name}” in the group “${by.groupName}”`
    return errors.notFound({ what: version === undefined ? named : `${named} with the version ${version}` })
  }

  async function find(
    principal: Principal,
    by: ItemName,
    version: number | undefined,
  ): Promise<AccessibleItem<Item> | undefined> {
    if ('id' in by) {
      const id = by.id.trim().toLowerCase()
      const item = isUuid(id) ? await store.find({ id }, version) : undefined
      return item && { item, group: await groups.getGroupById(principal, item.groupId, 'R') }
    }
    const group = await groups.getGroup(principal, by.groupName, 'R')
    const item = await store.find({ groupId: group.id, name: by.name }, version)
    return item && { item, group }
  }

  async function require(
    principal: Principal,
    by: ItemName,
    mode: 'R' | 'RW',
    version?: number,
  ): Promise<AccessibleItem<Item>> {
    try {
      const match = await find(principal, by, version)
      if (match === undefined) throw notFound(by, version)
      if (mode === 'RW' && !canWrite(match.group.access))
        throw errors.groupForbidden({ group: match.group.name })
      return match
    } catch (error) {
      // The response does not reveal items in groups that the caller cannot read.
      throw error instanceof AppError && error.code === 'groupNotFound' ? notFound(by, version) : error
    }
  }

  return {
    notFound,
    require,

    async requireGroup(principal, group) {
      try {
        return await groups.getGroup(principal, group, 'RW')
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        if (error.code === 'groupNotFound') throw errors.groupNotFound({ group })
        if (error.code === 'groupForbidden') throw errors.groupForbidden({ group })
        throw error
      }
    },

    async requireSaved(principal, outcome, { id, name, group }) {
      switch (outcome) {
        case 'gone':
          throw notFound({ id })
        case 'changed': {
          const { item } = await require(principal, { id }, 'R')
          throw errors.changed({ name: item.name, by: item.savedBy, version: item.version })
        }
        case 'name-taken':
          throw errors.exists({ name, group })
        case 'group-gone':
          throw errors.groupNotFound({ group })
      }
    },
  }
}
