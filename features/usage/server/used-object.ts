import { type AppError, invalidInput } from '@headwater/contract'
import type { Files } from '@headwater/files/server'
import type { GroupAccess } from '@headwater/groups/server'
import { symbolTarget, type ItemLink, type Items } from '@headwater/items/server'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Symbols } from '@headwater/symbols/server'
import { maxUsedFiles, usageErrors, type UsedType } from '../contract/index.ts'

/** Dependencies of the search for an object. */
export interface UsedObjectDependencies {
  /** Checks access to groups. */
  groups: GroupAccess
  /** Finds items by name, and the symbols that items reference. */
  items: Pick<Items, 'find' | 'symbolTargets'>
  /** Finds the symbols in files. */
  symbols: Pick<Symbols, 'symbolsInFiles'>
  /** Finds the versions of files. */
  files: Pick<Files, 'getReadable' | 'versionIds'>
}

/** The forms in which items name an object. */
export interface UsedObject {
  /** Links to the object. */
  links: ItemLink[]
  /** Id of the group, for a group. */
  groupId?: number
  /** The series that formulas can use: all symbols of a group, one symbol, or the symbols in files. */
  series?: { groupId: number; keys?: Record<string, string> } | { fileIds: string[] }
}

/** Names an object. */
interface ObjectName {
  type: UsedType
  name: string
  groupName: string
  fileType: string
  fids: string
  symbols: string
}

/**
 * Returns the links by which items reference an object that the caller can read.
 * @throws groupNotFound, usedObjectNotFound, tooManyFiles
 */
export async function findUsedObject(
  deps: UsedObjectDependencies,
  principal: Principal,
  named: ObjectName,
): Promise<UsedObject> {
  const { type, name, groupName } = named
  if (type === 'GROUP') {
    const { id } = await deps.groups.getGroup(principal, name, 'R')
    return { links: [{ type: 'group', target: name }], groupId: id, series: { groupId: id } }
  }
  if (type === 'FILE' && named.fids !== '') return usedVersions(deps, principal, named.fids)
  const { id: groupId } = await deps.groups.getGroup(principal, groupName, 'R')
  switch (type) {
    case 'FILE': {
      const ids = await deps.files.versionIds({ groupId, name }, named.fileType.trim().toUpperCase())
      if (ids.length === 0) throw notFound('file', name, groupName)
      const series = await linksOfSeries(deps, { groupId, groupName, fileIds: ids })
      return {
        links: [...ids.map(versionLink), { type: 'file', group: groupName, target: name }, ...series],
        series: { fileIds: ids },
      }
    }
    case 'SYMBOL': {
      const keys = parseSymbol(named.symbols)
      const links: ItemLink[] = [{ type: 'symbol', group: groupName, target: symbolTarget(keys) }]
      return { links, series: { groupId, keys } }
    }
    case 'TASK':
    case 'DATA_PREP': {
      const kind = type === 'TASK' ? 'task' : 'data-prep'
      const id = await deps.items.find(kind, { groupId, name })
      if (id === undefined) throw notFound(type === 'TASK' ? 'task' : 'data prep', name, groupName)
      return {
        links: [
          { type: kind, target: id },
          { type: kind, group: groupName, target: name },
        ],
      }
    }
  }
}

/** Returns the links to versions of files and to their series, and by name to files without other versions. */
async function usedVersions(
  deps: UsedObjectDependencies,
  principal: Principal,
  text: string,
): Promise<UsedObject> {
  const { files } = deps
  const fids = [...new Set(text.split(',').map((fid) => fid.trim().toLowerCase()))]
  if (fids.length > maxUsedFiles) throw usageErrors.tooManyFiles({ max: maxUsedFiles })
  const links: ItemLink[] = []
  const names = new Set<string>()
  const groups = new Map<number, { groupName: string; fileIds: string[] }>()
  for (const fid of fids) {
    const file = await unlessRefused(files.getReadable(principal, fid))
    if (file === undefined) throw usageErrors.usedObjectNotFound({ what: `file ${fid}` })
    const key = JSON.stringify([file.groupId, file.name])
    if (names.has(key)) continue
    names.add(key)
    const ids = await files.versionIds(file, '')
    const chosen = ids.filter((id) => fids.includes(id))
    const { groupId, groupName } = file
    const byName: ItemLink = { type: 'file', group: groupName, target: file.name }
    links.push(...chosen.map(versionLink), ...(chosen.length === ids.length ? [byName] : []))
    groups.set(groupId, { groupName, fileIds: [...(groups.get(groupId)?.fileIds ?? []), ...chosen] })
  }
  for (const [groupId, group] of groups) links.push(...(await linksOfSeries(deps, { groupId, ...group })))
  return { links, series: { fileIds: fids } }
}

/** Returns links to those symbols in files that items name. The files can contain many more symbols. */
async function linksOfSeries(
  { items, symbols }: UsedObjectDependencies,
  { groupId, groupName, fileIds }: { groupId: number; groupName: string; fileIds: readonly string[] },
): Promise<ItemLink[]> {
  const named = await items.symbolTargets(groupName)
  if (named.length === 0) return []
  const matches = await symbols.symbolsInFiles(fileIds, { groupId, symbols: named })
  return matches.map((keys) => ({ type: 'symbol', group: groupName, target: symbolTarget(keys) }))
}

function versionLink(id: string): ItemLink {
  return { type: 'file', target: id }
}

function parseSymbol(text: string): Record<string, string> {
  try {
    const value: unknown = JSON.parse(text)
    const isMap = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (
      isMap &&
      Object.values(value).every((each) => typeof each === 'string') &&
      Object.keys(value).length > 0
    )
      return value as Record<string, string>
  } catch {
    // The message below is the same.
  }
  throw invalidInput([
    { field: 'symbols', message: 'Send keys and values of one symbol as a JSON object: {"Code": "WTI"}.' },
  ])
}

function notFound(noun: string, name: string, groupName: string): AppError {
  return usageErrors.usedObjectNotFound({ what: `${noun} “${name}” in the group “${groupName}”` })
}
