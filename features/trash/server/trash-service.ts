import { commonErrors, type Page } from '@headwater/contract'
import type { RestoredObject } from '@headwater/groups/contract'
import type { DeletedQuery, TrashBin } from '@headwater/groups/server'
import { formatUtcSeconds, type Clock, type Principal } from '@headwater/server-kit'
import type { TrashKind, TrashedObject } from '../contract/index.ts'

/** A kind of objects in the trash. */
export interface TrashSource {
  /** The deleted objects. */
  bin: TrashBin
  /** Entitlement to the kind, for example `Lake/Files`: R to see them, RW to restore and to delete them. */
  resource: string
}

/** Dependencies of the trash. */
export interface TrashServiceDependencies {
  /** Deleted objects by kind. */
  sources: Record<TrashKind, TrashSource>
  /** Days for which objects stay in the trash. */
  retentionDays: number
  /** Clock of the retention. */
  clock: Clock
}

/** The service of the trash. */
export type TrashService = ReturnType<typeof createTrashService>

const dayMs = 86_400_000

/** Creates the service of the trash. */
export function createTrashService({ sources, retentionDays, clock }: TrashServiceDependencies) {
  const retentionMs = retentionDays * dayMs

  function open(principal: Principal, kind: TrashKind, mode: 'R' | 'RW'): TrashBin {
    const { bin, resource } = sources[kind]
    if (!principal.can(resource, mode)) throw commonErrors.forbidden({ resource, mode })
    return bin
  }

  return {
    /** Returns a page of deleted objects. */
    async list(
      principal: Principal,
      kind: TrashKind,
      { query, ...page }: Omit<DeletedQuery, 'text'> & { query: string },
    ): Promise<Page<TrashedObject>> {
      const { items, total } = await open(principal, kind, 'R').list(principal, {
        text: query.trim(),
        ...page,
      })
      return {
        from: page.from,
        totalSize: total,
        items: items.map((item) => ({
          ...item,
          canRestore: item.canRestore && principal.can(sources[kind].resource, 'RW'),
          purgedAt: formatUtcSeconds(new Date(Date.parse(`${item.deletedAt}Z`) + retentionMs)),
        })),
      }
    },

    /** Restores an object, under another name if one is given. */
    async restore(
      principal: Principal,
      kind: TrashKind,
      id: string,
      name: string | undefined,
    ): Promise<RestoredObject> {
      return open(principal, kind, 'RW').restore(principal, id, name)
    },

    /** Deletes an object permanently. */
    async remove(principal: Principal, kind: TrashKind, id: string): Promise<void> {
      await open(principal, kind, 'RW').remove(principal, id)
    },

    /** Permanently deletes all objects past the retention period; returns their number. */
    async purge(): Promise<number> {
      const before = new Date(clock.now().getTime() - retentionMs)
      let purged = 0
      const problems: unknown[] = []
      for (const { bin } of Object.values(sources)) {
        try {
          const result = await bin.purge(before)
          purged += result.purged
          problems.push(...result.problems)
        } catch (error) {
          // If the objects of one kind cannot be listed, those of other kinds are still deleted.
          problems.push(error)
        }
      }
      if (problems.length > 0) throw new AggregateError(problems, 'Some deleted objects were not purged.')
      return purged
    },
  }
}
