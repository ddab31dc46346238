import type { z } from 'zod'
import { invalidInput } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { DeletedObject, DeletedSortKey, RestoredObject } from '../contract/index.ts'

/** Filter, order and page of deleted objects. */
export interface DeletedQuery {
  /** Text in the name or the name of the group, regardless of case; empty: all. */
  text: string
  /** Sort key. */
  sortBy: DeletedSortKey
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
  /** Number of objects to skip. */
  from: number
  /** Maximum number of objects. */
  size: number
}

/** The deleted objects of one kind. The feature of the kind stores them. */
export interface TrashBin {
  /** Returns a page of the deleted objects that the caller owned or can delete. */
  list(principal: Principal, query: DeletedQuery): Promise<{ items: DeletedObject[]; total: number }>
  /**
   * Restores an object, under a new name if one is given.
   * @throws notInTrash, nameTaken, isBeingRestored, and the errors of groups without access
   */
  restore(principal: Principal, id: string, name: string | undefined): Promise<RestoredObject>
  /** Deletes an object permanently; throws `notInTrash`, `isBeingRestored`, and the errors of groups without access. */
  remove(principal: Principal, id: string): Promise<void>
  /**
   * Permanently deletes the objects that were deleted before a time. An object that cannot be deleted does not prevent
   * the deletion of the others.
   */
  purge(deletedBefore: Date): Promise<PurgeResult>
}

/** Result of a purge. */
export interface PurgeResult {
  /** Number of the objects that were deleted. */
  purged: number
  /** Errors of the objects that could not be deleted. */
  problems: unknown[]
}

/**
 * Deletes objects in batches. If a batch fails, it is split repeatedly until only the failing objects remain.
 * @param find returns the next batch, without the given objects that could not be deleted; empty at the end
 * @param remove deletes all objects of a batch or none, but skips objects that are being changed; returns the deleted ones
 */
export async function purgeInBatches<T>(
  find: (except: readonly T[]) => Promise<readonly T[]>,
  remove: (batch: readonly T[]) => Promise<readonly T[]>,
): Promise<PurgeResult> {
  const staying: T[] = []
  const problems: unknown[] = []
  let purged = 0

  async function removeOrSplit(batch: readonly T[]): Promise<readonly T[]> {
    try {
      return await remove(batch)
    } catch (error) {
      if (batch.length === 1) {
        problems.push(error)
        return []
      }
      const middle = Math.ceil(batch.length / 2)
      const first = await removeOrSplit(batch.slice(0, middle))
      return [...first, ...(await removeOrSplit(batch.slice(middle)))]
    }
  }

  for (;;) {
    const batch = await find(staying)
    if (batch.length === 0) return { purged, problems }
    const removed = new Set(await removeOrSplit(batch))
    purged += removed.size
    staying.push(...batch.filter((each) => !removed.has(each)))
  }
}

/**
 * Returns the name for a restored object; undefined for its original name.
 * @throws AppError `invalidInput`
 */
export function parseNewName(schema: z.ZodType<string>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const parsed = schema.safeParse(name)
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error.issues.map(({ message }) => ({ field: 'name', message })))
}
