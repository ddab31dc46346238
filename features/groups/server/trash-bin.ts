import type { z } from 'zod'
import { invalidInput } from '@headwater/contract'
import type { Principal } from '@headwater/server-kit'
import type { DeletedObject, RestoredObject } from '../contract/index.ts'

/** Filter, order and page of deleted objects. */
export interface DeletedQuery {
  /** Text in the name or the name of the group, in any letter case; empty: all. */
  text: string
  /** Sort key. */
  sortBy: 'name' | 'groupName' | 'deletedAt' | 'sizeBytes'
  /** Sort order. */
  sortOrder: 'asc' | 'desc'
  /** Number of objects to skip. */
  from: number
  /** Maximum number of objects. */
  size: number
}

/** The deleted objects of one kind, which its feature stores. */
export interface TrashBin {
  /** Returns a page of the deleted objects that the caller owned or can delete. */
  list(principal: Principal, query: DeletedQuery): Promise<{ items: DeletedObject[]; total: number }>
  /**
   * Restores an object, with another name if one is given.
   * @throws notInTrash, nameTaken, isBeingRestored, and the errors of groups without access
   */
  restore(principal: Principal, id: string, name: string | undefined): Promise<RestoredObject>
  /** Deletes an object permanently; throws `notInTrash`, `isBeingRestored`, and the errors of groups without access. */
  remove(principal: Principal, id: string): Promise<void>
  /** Permanently deletes some objects that were deleted before a time; returns their number, 0 at the end. */
  purge(deletedBefore: Date): Promise<number>
}

/** Returns the name for a restored object; undefined for its own. @throws AppError `invalidInput` */
export function parseNewName(schema: z.ZodType<string>, name: string | undefined): string | undefined {
  if (name === undefined) return undefined
  const parsed = schema.safeParse(name)
  if (parsed.success) return parsed.data
  throw invalidInput(parsed.error.issues.map(({ message }) => ({ field: 'name', message })))
}
