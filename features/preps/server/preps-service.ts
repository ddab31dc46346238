import { randomUUID } from 'node:crypto'
import { AppError, isUuid, type Page } from '@headwater/contract'
import {
  formatUtcSeconds,
  isRefusal,
  parseSearchQuery,
  type Clock,
  type Principal,
} from '@headwater/server-kit'
import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
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
  type DataPrepQuestion,
  type DataPrepSummary,
} from '../contract/index.ts'
import type { PrepFilter, PrepsStore, StoredPrep } from './preps-store.ts'

/** How a data prep is named: by its id, or by group and name. */
export type PrepName = { id: string } | { groupName: string; name: string }

/** What is shown of a data prep besides its definition. */
export interface PrepView {
  version?: number | undefined
  withMetadata: boolean
  resolvePattern: boolean
}

export interface PrepsServiceDependencies {
  store: PrepsStore
  groups: GroupAccess
  keys: KeyLookup
  /** Refuses what no answer can be made with. */
  checkQuery: (query: DataQuery) => Promise<void>
  /** The job of the run of a user that goes on. */
  findRun: (prepId: string, userId: number) => Promise<string | undefined>
  clock: Clock
}

export type PrepsService = ReturnType<typeof createPrepsService>

/** The rules of data preps: who sees, saves and deletes them. The group they lie in gives the rights. */
export function createPrepsService(dependencies: PrepsServiceDependencies) {
  const { store, groups, keys, checkQuery, findRun, clock } = dependencies

  /** A version of a data prep and its group, for who may use it at `mode`. */
  async function require(
    principal: Principal,
    by: PrepName,
    mode: 'R' | 'RW',
    version?: number,
  ): Promise<{ prep: StoredPrep; group: AccessibleGroup }> {
    const notFound = prepErrors.prepNotFound({ what: describeName(by, version) })
    try {
      const found =
        'id' in by ? await findById(principal, by.id, version) : await findByName(principal, by, version)
      if (found === undefined) throw notFound
      if (mode === 'RW' && found.group.access === 'R')
        throw prepErrors.outputGroupForbidden({ group: found.group.name })
      return found
    } catch (error) {
      // Whether there is a data prep in a group that the caller cannot see is nothing to tell.
      throw error instanceof AppError && error.code === 'groupNotFound' ? notFound : error
    }
  }

  async function findById(principal: Principal, id: string, version: number | undefined) {
    const prep = isUuid(id) ? await store.find({ id }, version) : undefined
    return prep && { prep, group: await groups.getGroupById(principal, prep.groupId, 'R') }
  }

  async function findByName(
    principal: Principal,
    { groupName, name }: { groupName: string; name: string },
    version: number | undefined,
  ) {
    const group = await groups.getGroup(principal, groupName, 'R')
    const prep = await store.find({ groupId: group.id, name }, version)
    return prep && { prep, group }
  }

  async function requireOutputGroup(principal: Principal, group: string): Promise<AccessibleGroup> {
    try {
      return await groups.getGroup(principal, group, 'RW')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'groupNotFound') throw prepErrors.outputGroupNotFound({ group })
      if (error.code === 'groupForbidden') throw prepErrors.outputGroupForbidden({ group })
      throw error
    }
  }

  async function getDetails(principal: Principal, by: PrepName, view: PrepView): Promise<DataPrepDetails> {
    const { prep, group } = await require(principal, by, 'R', view.version)
    const question = await questionOf(prep)
    const runningJobId = await findRun(prep.id, principal.userId)
    return {
      ...question,
      ...(await lookUp(principal, question, view)),
      ...recordOf(prep, group.access !== 'R'),
      id: prep.id,
      name: prep.name,
      outputGroup: prep.groupName,
      ...(runningJobId === undefined ? {} : { runningJobId }),
    }
  }

  /** The definition of a version; what it was saved without has its default. */
  async function questionOf(prep: StoredPrep): Promise<DataPrepQuestion> {
    const { name: _name, outputGroup: _outputGroup, ...defaults } = newDataPrep()
    const stored = await store.definition(prep.id, prep.version)
    if (stored === undefined) throw prepErrors.prepNotFound({ what: `“${prep.name}”` })
    return { ...defaults, ...stored }
  }

  /** What the entries of the basket mean now, as far as it is asked for. */
  async function lookUp(
    principal: Principal,
    question: DataPrepQuestion,
    { withMetadata, resolvePattern }: PrepView,
  ): Promise<Pick<DataPrepDetails, 'symbols' | 'resolved'>> {
    const { symbols } = question
    if (!withMetadata && !resolvePattern) return { symbols }
    const meanings = await keys.describe(principal, dataQuery.parse(toDataQuery(question)).keys, {
      perKey: resolvePattern ? maxResolvedPerEntry : 0,
      inAll: maxResolvedInAll,
    })
    const described = symbols.map((entry, index) => {
      const { isOpen, symbols: found } = meanings[index]!
      const [only] = found
      return withMetadata && !isOpen && only !== undefined ? { ...entry, metadata: only.metadata } : entry
    })
    if (!resolvePattern) return { symbols: described }
    const resolved = meanings.flatMap(({ isOpen, totalSize, symbols: found }, index) =>
      isOpen
        ? [
            {
              index,
              totalSize,
              items: found.map((each) => ({
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

  async function summariesOf(principal: Principal, preps: readonly StoredPrep[]): Promise<DataPrepSummary[]> {
    const writable = new Map<number, boolean>()
    for (const { groupId } of preps)
      if (!writable.has(groupId)) writable.set(groupId, await mayWrite(principal, groupId))
    return preps.map((prep) => ({
      ...recordOf(prep, writable.get(prep.groupId)!),
      id: prep.id,
      name: prep.name,
      outputGroup: prep.groupName,
      groupName: prep.groupName,
      symbolCount: prep.symbolCount,
      ...rangeOf(prep),
    }))
  }

  async function mayWrite(principal: Principal, groupId: number): Promise<boolean> {
    try {
      return (await groups.getGroupById(principal, groupId, 'R')).access !== 'R'
    } catch (error) {
      // The group has gone, or the right to it, since the data preps were found.
      if (isRefusal(error)) return false
      throw error
    }
  }

  return {
    require,
    questionOf,
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
      const { preps, total } = await store.search(filter, { sortBy, sortOrder, from, size })
      return { from, totalSize: total, items: await summariesOf(principal, preps) }
    },

    /** All versions, newest first. */
    async listVersions(
      principal: Principal,
      by: PrepName,
      { from, size }: { from: number; size: number },
    ): Promise<Page<DataPrepSummary>> {
      const { prep, group } = await require(principal, by, 'R')
      const { preps, total } = await store.search(
        { scope: group.scope, latest: false, id: prep.id },
        { sortBy: 'updated', sortOrder: 'desc', from, size },
      )
      return { from, totalSize: total, items: await summariesOf(principal, preps) }
    },

    async create(principal: Principal, definition: DataPrepDefinition): Promise<DataPrepDetails> {
      const { name, outputGroup, ...question } = definition
      await checkQuery(dataQuery.parse(toDataQuery(question)))
      const group = await requireOutputGroup(principal, outputGroup)
      const id = randomUUID()
      const saved = { groupId: group.id, name, definition: question, ...savedBy(principal) }
      const outcome = await store.create(id, saved)
      if (outcome !== 'created') throw refusal(outcome, name, group.name)
      return getDetails(principal, { id }, plainView)
    },

    /** Saves a new version; a name or group that differs renames or moves the data prep. */
    async update(
      principal: Principal,
      id: string,
      { version: editedVersion, ...definition }: DataPrepDefinition & { version: number },
    ): Promise<DataPrepDetails> {
      const { prep } = await require(principal, { id }, 'RW')
      const { name, outputGroup, ...question } = definition
      await checkQuery(dataQuery.parse(toDataQuery(question)))
      const group = await requireOutputGroup(principal, outputGroup)
      const saved = { groupId: group.id, name, definition: question, editedVersion, ...savedBy(principal) }
      const outcome = await store.save(prep.id, saved)
      if (outcome === 'gone') throw prepErrors.prepNotFound({ what: describeName({ id }) })
      if (outcome === 'changed') throw await changed(principal, prep.id)
      if (outcome !== 'saved') throw refusal(outcome, name, group.name)
      return getDetails(principal, { id: prep.id }, plainView)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const { prep } = await require(principal, { id }, 'RW')
      await store.remove(prep.id)
    },
  }

  function savedBy(principal: Principal) {
    return { savedBy: principal.userId, savedAt: clock.now() }
  }

  async function changed(principal: Principal, id: string): Promise<AppError> {
    const { prep } = await require(principal, { id }, 'R')
    return prepErrors.prepChanged({ name: prep.name, by: prep.savedBy, version: prep.version })
  }
}

const plainView: PrepView = { withMetadata: false, resolvePattern: false }

function refusal(outcome: 'name-taken' | 'group-gone', name: string, group: string): AppError {
  return outcome === 'name-taken'
    ? prepErrors.prepExists({ name, group })
    : prepErrors.outputGroupNotFound({ group })
}

function describeName(by: PrepName, version?: number): string {
  const named = 'id' in by ? by.id : `“${by.name}” in the group “${by.groupName}”`
  return version === undefined ? named : `${named} with the version ${version}`
}

/** Plain text is a part of the name; a text that is an id finds what has it. */
function parseQuery(text: string): Pick<PrepFilter, 'id' | 'nameContains' | 'namePattern' | 'groupPattern'> {
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

function recordOf(prep: StoredPrep, writeAccess: boolean) {
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

/** What the range was saved without has its default. */
function rangeOf({ range }: StoredPrep) {
  const { range: kind, lastType, lastTypeAmount } = newDataPrep()
  return {
    ...range,
    range: range.range ?? kind,
    lastType: range.lastType ?? lastType,
    lastTypeAmount: range.lastTypeAmount ?? lastTypeAmount,
  }
}
