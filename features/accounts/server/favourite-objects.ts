import { z } from 'zod'
import type { Principal } from '@headwater/server-kit'

/** Names of a favourite object; its entry in the setting contains them. */
export type FavouriteNames = Readonly<Record<string, string>>

/** An object that a user can read. */
export interface FavouriteObject {
  /** Id of the object. */
  id: string
  /** Current names of the object. */
  names: FavouriteNames
}

/** Finds the objects of a setting whose entries contain names but no id, so that favourites follow renames and moves. */
export interface FavouriteObjects {
  /** Fields of an entry that name its object. */
  fields: readonly string[]
  /** Returns the objects with one of these ids or names that the user can read, in any order. */
  find(
    principal: Principal,
    wanted: { ids: readonly string[]; names: readonly FavouriteNames[] },
  ): Promise<FavouriteObject[]>
}

/** Ids of favourite objects, by the names in the stored setting. */
export type FavouriteIds = Readonly<Record<string, string>>

/** Reads stored ids; an invalid value contains none. */
export function parseFavouriteIds(stored: unknown): FavouriteIds {
  return z.record(z.string(), z.string()).safeParse(stored).data ?? {}
}

/**
 * Returns a list of favourites with the current names of its objects, and the ids of all entries. An entry whose object
 * is deleted or not readable keeps its names and its id.
 * @param text JSON text of the list; returned as it is if no name changed
 * @param options.prefersNames whether the names identify the object, as in a list that a client saves; otherwise a
 *   known id does
 */
export async function followFavourites(
  objects: FavouriteObjects,
  principal: Principal,
  text: string,
  { known, prefersNames }: { known: FavouriteIds; prefersNames: boolean },
): Promise<{ text: string; ids: FavouriteIds }> {
  const { fields } = objects
  const entries = entriesOf(text)
  const keys = entries.map((entry) => keyOf(entry, fields))
  const idAt = (index: number) => {
    const key = keys[index]
    return key !== undefined && Object.hasOwn(known, key) ? known[key] : undefined
  }
  const named = entries.filter(
    (_, index) => keys[index] !== undefined && (prefersNames || idAt(index) === undefined),
  )
  const ids = entries.flatMap((_, index) => (prefersNames ? [] : (idAt(index) ?? [])))
  if (named.length + ids.length === 0) return { text, ids: {} }
  const matches = await objects.find(principal, { ids, names: named.map((entry) => namesOf(entry, fields)) })
  const byId = new Map(matches.map((object) => [object.id, object]))
  const byKey = new Map(matches.map((object) => [keyOf(object.names, fields), object]))
  let isRenamed = false
  const idsByKey: Record<string, string> = {}
  const current = entries.map((entry, index) => {
    const key = keys[index]
    if (key === undefined) return entry
    const id = prefersNames ? (byKey.get(key)?.id ?? idAt(index)) : (idAt(index) ?? byKey.get(key)?.id)
    if (id !== undefined) idsByKey[key] = id
    const names = id === undefined ? undefined : byId.get(id)?.names
    if (names === undefined || keyOf(names, fields) === key) return entry
    isRenamed = true
    return { ...entry, ...names }
  })
  return { text: isRenamed ? JSON.stringify(current) : text, ids: idsByKey }
}

type Entry = Readonly<Record<string, unknown>>

const entrySchema = z.record(z.string(), z.unknown())

function entriesOf(text: string): Entry[] {
  const list: unknown = JSON.parse(text)
  return Array.isArray(list) ? list.map((entry) => entrySchema.safeParse(entry).data ?? (entry as Entry)) : []
}

/** Returns the names of an entry as one text; undefined for an entry without them. */
function keyOf(entry: Entry, fields: readonly string[]): string | undefined {
  const values = fields.map((field) => entry?.[field])
  return values.every((value) => typeof value === 'string') ? JSON.stringify(values) : undefined
}

function namesOf(entry: Entry, fields: readonly string[]): FavouriteNames {
  return Object.fromEntries(fields.map((field) => [field, entry[field] as string]))
}
