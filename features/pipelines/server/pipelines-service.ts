import { randomUUID } from 'node:crypto'
import { AppError, isUuid, type Page } from '@headwater/contract'
import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
import {
  formatUtcSeconds,
  parseSearchQuery,
  type Clock,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import { nextMoment } from '@headwater/schedules/server'
import type { TriggerType } from '@headwater/statuses/contract'
import { pipelineErrors, type Pipeline, type PipelineDetails, type PipelineInput } from '../contract/index.ts'
import type { ListedPipeline, PipelinesStore, SavedPipeline, StoredPipeline } from './pipelines-store.ts'
import type { RunPlans } from './run-plans.ts'
import type { SchedulesService } from './schedules-service.ts'

/** A pipeline that comes with the product, as a model for others. It is read by everybody and cannot be changed. */
export type BuiltInPipeline = Pick<PipelineInput, 'name' | 'groupName' | 'tasks' | 'payload' | 'tags'>

export interface PipelinesServiceDependencies {
  store: PipelinesStore
  groups: GroupAccess
  plans: RunPlans
  schedules: Pick<SchedulesService, 'check' | 'set'>
  /** Has the runs of a pipeline that goes stop. Takes part in the transaction that deletes it. */
  stopRuns: (which: { pipelineId: string }, executor: Executor) => Promise<void>
  clock: Clock
}

export type PipelinesService = ReturnType<typeof createPipelinesService>

/** The rules of pipelines: who sees, saves and deletes them. The group they lie in gives the rights. */
export function createPipelinesService(dependencies: PipelinesServiceDependencies) {
  const { store, groups, plans, schedules, stopRuns, clock } = dependencies
  const builtIns: BuiltInPipeline[] = []

  /** A version of a pipeline and its group, for who may use it at `mode`. */
  async function require(
    principal: Principal,
    id: string,
    mode: 'R' | 'RW',
    version?: number,
  ): Promise<{ stored: StoredPipeline; group: AccessibleGroup }> {
    const notFound = pipelineErrors.pipelineNotFound({ what: described(id, version) })
    const stored = isUuid(id) ? await store.find({ id: id.trim().toLowerCase() }, version) : undefined
    if (stored === undefined) throw notFound
    try {
      const group = await groups.getGroupById(principal, stored.groupId, 'R')
      if (mode === 'RW' && group.access === 'R')
        throw pipelineErrors.pipelineGroupForbidden({ group: group.name })
      return { stored, group }
    } catch (error) {
      // Whether there is a pipeline in a group that the caller cannot see is nothing to tell.
      throw error instanceof AppError && error.code === 'groupNotFound' ? notFound : error
    }
  }

  async function requireGroup(principal: Principal, group: string): Promise<AccessibleGroup> {
    try {
      return await groups.getGroup(principal, group, 'RW')
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (error.code === 'groupNotFound') throw pipelineErrors.pipelineGroupNotFound({ group })
      if (error.code === 'groupForbidden') throw pipelineErrors.pipelineGroupForbidden({ group })
      throw error
    }
  }

  async function detailsOf(stored: StoredPipeline, group: AccessibleGroup): Promise<PipelineDetails> {
    return {
      pipeline: shown(stored, group.access !== 'R', clock.now()),
      batchConfig: { tasks: stored.tasks },
      payload: (await store.payload(stored.id, stored.version)) ?? '{}',
    }
  }

  async function get(principal: Principal, id: string, version?: number): Promise<PipelineDetails> {
    const { stored, group } = await require(principal, id, 'R', version)
    return detailsOf(stored, group)
  }

  async function shownList(principal: Principal, pipelines: readonly ListedPipeline[]): Promise<Pipeline[]> {
    const writable = await groups.scope(principal, 'RW')
    return pipelines.map((stored) => shown(stored, writable.has(stored.groupId), clock.now()))
  }

  async function savedOf(principal: Principal, group: AccessibleGroup, input: PipelineInput) {
    const tasks = await plans.check(principal, input.tasks)
    schedules.check(tasks)
    const saved: SavedPipeline = {
      groupId: group.id,
      name: input.name,
      tasks,
      payload: input.payload,
      tags: input.tags,
      markdownId: input.markdownId ?? null,
      savedBy: principal.userId,
      savedAt: clock.now(),
    }
    return saved
  }

  /** A version by group and name, by default the newest; undefined when there is none that the caller can read. */
  async function findByName(
    principal: Principal,
    { groupName, name, version }: { groupName: string; name: string; version?: number | undefined },
  ): Promise<PipelineDetails | undefined> {
    try {
      const group = await groups.getGroup(principal, groupName, 'R')
      const stored = await store.find({ groupId: group.id, name }, version)
      if (stored !== undefined) return await detailsOf(stored, group)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'groupNotFound') throw error
    }
    const builtIn = builtIns.find((known) => known.groupName === groupName && known.name === name)
    return builtIn === undefined || (version ?? 1) !== 1 ? undefined : shownBuiltIn(builtIn)
  }

  return {
    require,
    get,

    /** Adds a pipeline that comes with the product. */
    addBuiltIn: (pipeline: BuiltInPipeline): void => void builtIns.push(pipeline),

    findByName,

    async getByName(
      principal: Principal,
      by: { groupName: string; name: string; version?: number | undefined },
    ): Promise<PipelineDetails> {
      const found = await findByName(principal, by)
      if (found !== undefined) return found
      throw pipelineErrors.pipelineNotFound({ what: `“${by.name}” in the group “${by.groupName}”` })
    },

    async search(
      principal: Principal,
      query: {
        query: string
        latest: boolean
        triggerType: TriggerType
        sortBy: 'updated' | 'name'
        sortOrder?: 'asc' | 'desc' | undefined
        from: number
        size: number
      },
    ): Promise<Page<Pipeline>> {
      const { sortBy, from, size, triggerType, latest } = query
      const wanted = parseQuery(query.query)
      const none = { from, totalSize: 0, items: [] }
      if (wanted.id !== undefined && !isUuid(wanted.id)) return none
      if (!['ANY', 'None', 'CRON'].includes(triggerType)) return none
      const { pipelines, total } = await store.search(
        {
          ...wanted,
          scope: await groups.scope(principal),
          latest,
          scheduled: triggerType === 'ANY' ? undefined : triggerType === 'CRON',
        },
        { sortBy, sortOrder: query.sortOrder ?? (sortBy === 'name' ? 'asc' : 'desc'), from, size },
      )
      return { from, totalSize: total, items: await shownList(principal, pipelines) }
    },

    /** All versions, newest first. */
    async listVersions(
      principal: Principal,
      id: string,
      page: { from: number; size: number },
    ): Promise<Page<Pipeline>> {
      const { stored, group } = await require(principal, id, 'R')
      const { pipelines, total } = await store.search(
        { scope: group.scope, latest: false, id: stored.id },
        { sortBy: 'updated', sortOrder: 'desc', ...page },
      )
      return { from: page.from, totalSize: total, items: await shownList(principal, pipelines) }
    },

    async create(principal: Principal, input: PipelineInput): Promise<PipelineDetails> {
      const group = await requireGroup(principal, input.groupName)
      const saved = await savedOf(principal, group, input)
      const id = randomUUID()
      const outcome = await store.create(id, saved, (executor) =>
        schedules.set(id, saved.tasks, principal.userId, executor),
      )
      if (outcome !== 'created') throw refusal(outcome, input.name, group.name)
      return get(principal, id)
    },

    async update(
      principal: Principal,
      pipelineId: string,
      { version: editedVersion, ...input }: PipelineInput & { version?: number | undefined },
    ): Promise<PipelineDetails> {
      const { stored } = await require(principal, pipelineId, 'RW')
      const group = await requireGroup(principal, input.groupName)
      const saved = { ...(await savedOf(principal, group, input)), editedVersion }
      const outcome = await store.save(stored.id, saved, (executor) =>
        schedules.set(stored.id, saved.tasks, principal.userId, executor),
      )
      if (outcome === 'gone') throw pipelineErrors.pipelineNotFound({ what: described(pipelineId) })
      if (outcome === 'changed') {
        const { stored: newest } = await require(principal, pipelineId, 'R')
        const { name, savedBy: by, version } = newest
        throw pipelineErrors.pipelineChanged({ name, by, version })
      }
      if (outcome !== 'saved') throw refusal(outcome, input.name, group.name)
      return get(principal, stored.id)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const { stored } = await require(principal, id, 'RW')
      await store.transaction(async (executor) => {
        await stopRuns({ pipelineId: stored.id }, executor)
        await store.remove(stored.id, executor)
      })
    },
  }
}

function shown(stored: ListedPipeline, writeAccess: boolean, now: Date): Pipeline {
  const { triggers, nextRunAt } = stored
  // None of the triggers comes before the first of them.
  const after = nextRunAt === null ? now : new Date(nextRunAt.getTime() - 1)
  const isNewest = stored.version === stored.newestVersion
  const schedules = isNewest ? (triggers ?? []) : []
  return {
    id: stored.id,
    name: stored.name,
    groupName: stored.groupName,
    tags: stored.tags,
    version: stored.version,
    latest: isNewest,
    lastChangeBy: stored.savedBy,
    modifyDate: formatUtcSeconds(stored.savedAt),
    markdownId: stored.markdownId,
    trigger: schedules.length > 0 ? 'CRON' : 'None',
    schedules: schedules.map(({ cron, timeZone }) => ({
      cron,
      timeZone,
      nextRun: formatUtcSeconds(nextMoment([{ cron, timeZone }], after)),
    })),
    writeAccess,
  }
}

function shownBuiltIn({ name, groupName, tags, tasks, payload }: BuiltInPipeline): PipelineDetails {
  return {
    pipeline: {
      id: `${groupName}/${name}`,
      name,
      groupName,
      tags,
      version: 1,
      latest: true,
      lastChangeBy: null,
      modifyDate: null,
      markdownId: null,
      trigger: 'None',
      schedules: [],
      writeAccess: false,
    },
    batchConfig: { tasks },
    payload,
  }
}

function refusal(outcome: 'name-taken' | 'group-gone', name: string, group: string): AppError {
  return outcome === 'name-taken'
    ? pipelineErrors.pipelineExists({ name, group })
    : pipelineErrors.pipelineGroupNotFound({ group })
}

function described(id: string, version?: number): string {
  return version === undefined ? id : `${id} with the version ${version}`
}

/** Plain text is a part of the name; a text that is an id finds what has it. */
function parseQuery(text: string) {
  const { pairs, freeText } = parseSearchQuery(text)
  const valueOf = (name: string) => pairs.find(({ key }) => key.toLowerCase() === name)?.value.trim()
  const isId = isUuid(freeText)
  return {
    id: valueOf('id')?.toLowerCase() ?? (isId ? freeText.trim().toLowerCase() : undefined),
    nameContains: isId || freeText.replaceAll('*', '') === '' ? undefined : freeText,
    namePattern: valueOf('name'),
    groupPattern: valueOf('groupname'),
    tag: valueOf('tag') ?? valueOf('tags'),
  }
}
