import { randomUUID } from 'node:crypto'
import { isUuid, type Page } from '@headwater/contract'
import { canWrite } from '@headwater/groups/contract'
import type { GroupAccess } from '@headwater/groups/server'
import { itemAccess, type ItemFilter, type ItemName } from '@headwater/items/server'
import { formatUtcSeconds, parseSearchQuery, type Clock, type Principal } from '@headwater/server-kit'
import { dataQuery, type DataQuery } from '@headwater/symbols/contract'
import type { KeyLookup } from '@headwater/symbols/server'
import {
  maxResolvedInAll,
  maxResolvedPerEntry,
  newDataPrep,
  prepErrors,
  toDataQuery,
  type DataPrepDefinition,
  type DataPrepDetails,
  type DataPrepContent,
  type DataPrepSummary,
} from '../contract/index.ts'
import type { ListedPrep, PrepsStore, StoredPrep } from './preps-store.ts'

/** Version and optional fields of a data prep to return. */
export interface PrepView {
  /** Number of the version; undefined for the newest. */
  version?: number | undefined
  /** Whether entries have current metadata. */
  withMetadata: boolean
  /** Whether patterns are resolved. */
  resolvePattern: boolean
}

/** Dependencies of the data preps service. */
export interface PrepsServiceDependencies {
  /** Stores data preps. */
  store: PrepsStore
  /** Checks access to groups. */
  groups: GroupAccess
  /** Resolves entries to symbols. */
  keys: KeyLookup
  /** Rejects invalid queries. */
  checkQuery: (query: DataQuery) => Promise<void>
  /** Returns the job of the run in progress of a user. */
  findRun: (prepId: string, userId: number) => Promise<string | undefined>
  /** Time of saves. */
  clock: Clock
}

/** The service of data preps. */
export type PrepsService = ReturnType<typeof createPrepsService>

/** Creates the service of data preps. Access to their group decides who can read, save and delete them. */
export function createPrepsService(dependencies: PrepsServiceDependencies) {
  const { store, groups, keys, checkQuery, findRun, clock } = dependencies

  const access = itemAccess<StoredPrep>({ store, groups, errors: prepErrors })

  async function getDetails(principal: Principal, by: ItemName, view: PrepView): Promise<DataPrepDetails> {
    const { item: prep, group } = await access.require(principal, by, 'R', view.version)
    const runningJobId = await findRun(prep.id, principal.userId)
    return {
      ...prep.content,
      ...(await lookUp(principal, prep.content, view)),
      ...recordOf(prep, canWrite(group.access)),
      id: prep.id,
      name: prep.name,
      outputGroup: prep.groupName,
      ...(runningJobId === undefined ? {} : { runningJobId }),
    }
  }

  /** Returns the entries with current metadata and resolved patterns, as requested. */
  async function lookUp(
    principal: Principal,
    content: DataPrepContent,
    { withMetadata, resolvePattern }: PrepView,
  ): Promise<Pick<DataPrepDetails, 'symbols' | 'resolved'>> {
    const { symbols } = content
    if (!withMetadata && !resolvePattern) return { symbols }
    const meanings = await keys.describe(principal, dataQuery.parse(toDataQuery(content)).keys, {
      perKey: resolvePattern ? maxResolvedPerEntry : 0,
      inAll: maxResolvedInAll,
    })
    const described = symbols.map((entry, index) => {
      const { isOpen, symbols: matches } = meanings[index]!
      const [only] = matches
      return withMetadata && !isOpen && only !== undefined ? { ...entry, metadata: only.metadata } : entry
    })
    if (!resolvePattern) return { symbols: described }
    const resolved = meanings.flatMap(({ isOpen, totalSize, symbols: matches }, index) =>
      isOpen
        ? [
            {
              index,
              totalSize,
              items: matches.map((each) => ({
                groupName: each.groupName,
                symbols: each.symbols,
                metadata: withMetadata ? each.metadata : {},
                columns: each.columns.map((column) => column.name),
              })),
            },
          ]
        : [],
    )
    return { symbols: described, resolved }
  }

  async function summariesOf(principal: Principal, preps: readonly ListedPrep[]): Promise<DataPrepSummary[]> {
    const writable = await groups.scope(principal, 'RW')
    return preps.map((prep) => ({
      ...recordOf(prep, writable.has(prep.groupId)),
      id: prep.id,
      name: prep.name,
      outputGroup: prep.groupName,
      groupName: prep.groupName,
      symbolCount: prep.summary.symbolCount,
      ...rangeOf(prep),
    }))
  }

  return {
    require: (...wanted: Parameters<typeof access.require>) => access.require(...wanted),
    get: getDetails,

    async search(
      principal: Principal,
      query: {
        query: string
        groupName?: string | undefined
        latest: boolean
        sortBy: 'updated' | 'name'
        sortOrder?: 'asc' | 'desc' | undefined
        from: number
        size: number
      },
    ): Promise<Page<DataPrepSummary>> {
      const { sortBy, from, size } = query
      const sortOrder = query.sortOrder ?? (sortBy === 'name' ? 'asc' : 'desc')
      const filter = {
        ...parseQuery(query.query),
        scope: await groups.scope(principal),
        latest: query.latest,
        groupName: query.groupName,
      }
      if (filter.id !== undefined && !isUuid(filter.id)) return { from, totalSize: 0, items: [] }
      const { items, total } = await store.search(filter, { sortBy, sortOrder, from, size })
      return { from, totalSize: total, items: await summariesOf(principal, items) }
    },

    /** Returns all versions, newest first. */
    async listVersions(
      principal: Principal,
      by: ItemName,
      { from, size }: { from: number; size: number },
    ): Promise<Page<DataPrepSummary>> {
      const { item } = await access.require(principal, by, 'R')
      const { items, total } = await store.listVersions(item.id, { from, size })
      return { from, totalSize: total, items: await summariesOf(principal, items) }
    },

    async create(principal: Principal, definition: DataPrepDefinition): Promise<DataPrepDetails> {
      const { name, outputGroup, ...content } = definition
      await checkQuery(dataQuery.parse(toDataQuery(content)))
      const group = await access.requireGroup(principal, outputGroup)
      const id = randomUUID()
      const saved = { groupId: group.id, name, content, ...savedBy(principal) }
      const outcome = await store.create(id, saved)
      await access.requireSaved(principal, outcome, { id, name, group: group.name })
      return getDetails(principal, { id }, plainView)
    },

    /** Saves a new version; renames or moves the data prep if the name or group differs. */
    async update(
      principal: Principal,
      id: string,
      { version: basedOn, ...definition }: DataPrepDefinition & { version: number },
    ): Promise<DataPrepDetails> {
      const { item } = await access.require(principal, { id }, 'RW')
      const { name, outputGroup, ...content } = definition
      await checkQuery(dataQuery.parse(toDataQuery(content)))
      const group = await access.requireGroup(principal, outputGroup)
      const saved = { groupId: group.id, name, content, basedOn, ...savedBy(principal) }
      const outcome = await store.save(item.id, saved)
      await access.requireSaved(principal, outcome, { id, name, group: group.name })
      return getDetails(principal, { id: item.id }, plainView)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const { item } = await access.require(principal, { id }, 'RW')
      await store.remove(item.id)
    },
  }

  function savedBy(principal: Principal) {
    return { savedBy: principal.userId, savedAt: clock.now() }
  }
}

const plainView: PrepView = { withMetadata: false, resolvePattern: false }

/** Parses a search. Plain text matches a part of the name, or the id. */
function parseQuery(text: string): Pick<ItemFilter, 'id' | 'nameContains' | 'namePattern' | 'groupPattern'> {
  const { pairs, freeText } = parseSearchQuery(text)
  const valueOf = (...names: string[]) =>
    pairs.find(({ key }) => names.includes(key.toLowerCase()))?.value.trim()
  const isId = isUuid(freeText)
  return {
    id: valueOf('id', 'uuid')?.toLowerCase() ?? (isId ? freeText.trim().toLowerCase() : undefined),
    nameContains: isId || freeText.replaceAll('*', '') === '' ? undefined : freeText,
    namePattern: valueOf('name'),
    groupPattern: valueOf('groupname', 'groupname.keyword', 'outputgroup'),
  }
}

function recordOf(prep: ListedPrep, writeAccess: boolean) {
  return {
    version: prep.version,
    owner: prep.owner,
    createDate: formatUtcSeconds(prep.createdAt),
    modifyDate: formatUtcSeconds(prep.savedAt),
    modifiedBy: prep.savedBy,
    latest: prep.version === prep.newestVersion,
    writeAccess,
    nextRun: prep.nextRunAt === null ? null : formatUtcSeconds(prep.nextRunAt),
    scheduleTimeZone: prep.scheduleTimeZone,
    schedulePaused: prep.schedulePaused,
  }
}

/** Returns the range with defaults for missing fields. */
function rangeOf({ summary: { range } }: ListedPrep) {
  const { range: kind, lastType, lastTypeAmount } = newDataPrep()
  return {
    ...range,
    range: range.range ?? kind,
    lastType: range.lastType ?? lastType,
    lastTypeAmount: range.lastTypeAmount ?? lastTypeAmount,
  }
}
