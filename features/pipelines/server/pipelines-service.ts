import { randomUUID } from 'node:crypto'
import { AppError, isUuid, type Page } from '@headwater/contract'
import type { AccessibleGroup, GroupAccess } from '@headwater/groups/server'
import { itemAccess, type AccessibleItem } from '@headwater/items/server'
import {
  formatUtcSeconds,
  parseSearchQuery,
  unlessRefused,
  type Clock,
  type Executor,
  type Principal,
} from '@headwater/server-kit'
import { nextOccurrence } from '@headwater/schedules/server'
import type { TriggerType } from '@headwater/statuses/contract'
import { pipelineErrors, type Pipeline, type PipelineDetails, type PipelineInput } from '../contract/index.ts'
import {
  pipelineConditions,
  type ListedPipeline,
  type PipelineContent,
  type PipelinesStore,
  type StoredPipeline,
  type TaskInput,
} from './pipelines-store.ts'
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
  stopRuns: (which: { pipelineIds: readonly string[] }, executor: Executor) => Promise<void>
  clock: Clock
}

export type PipelinesService = ReturnType<typeof createPipelinesService>

/** The rules of pipelines: who sees, saves and deletes them. The group they lie in gives the rights. */
export function createPipelinesService(dependencies: PipelinesServiceDependencies) {
  const { store, groups, plans, schedules, stopRuns, clock } = dependencies
  const builtIns: BuiltInPipeline[] = []

  const access = itemAccess<StoredPipeline>({ store, groups, errors: pipelineErrors })

  function detailsOf({ item, group }: AccessibleItem<StoredPipeline>): PipelineDetails {
    const { tasks, payload } = item.content
    return {
      pipeline: shown(item, group.access !== 'R', clock.now()),
      batchConfig: { tasks: [...tasks] },
      payload,
    }
  }

  async function get(principal: Principal, id: string, version?: number): Promise<PipelineDetails> {
    return detailsOf(await access.require(principal, { id }, 'R', version))
  }

  async function shownList(principal: Principal, pipelines: readonly ListedPipeline[]): Promise<Pipeline[]> {
    const writable = await groups.scope(principal, 'RW')
    return pipelines.map((stored) => shown(stored, writable.has(stored.groupId), clock.now()))
  }

  async function savedOf(principal: Principal, group: AccessibleGroup, input: PipelineInput) {
    const tasks = await plans.check(principal, input.tasks)
    schedules.check(tasks)
    const { name, payload, tags, markdownId = null } = input
    const content = { tasks, payload, tags, markdownId }
    return { groupId: group.id, name, content, savedBy: principal.userId, savedAt: clock.now() }
  }

  /** A version by group and name, by default the newest; undefined when there is none that the caller can read. */
  async function findByName(
    principal: Principal,
    { groupName, name, version }: { groupName: string; name: string; version?: number | undefined },
  ): Promise<PipelineDetails | undefined> {
    try {
      const group = await groups.getGroup(principal, groupName, 'R')
      const stored = await store.find({ groupId: group.id, name }, version)
      if (stored !== undefined) return detailsOf({ item: stored, group })
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'groupNotFound') throw error
    }
    const builtIn = builtIns.find((known) => known.groupName === groupName && known.name === name)
    return builtIn === undefined || (version ?? 1) !== 1 ? undefined : shownBuiltIn(builtIn)
  }

  return {
    require: (...wanted: Parameters<typeof access.require>) => access.require(...wanted),
    get,

    /** Adds a pipeline that comes with the product. */
    addBuiltIn: (pipeline: BuiltInPipeline): void => void builtIns.push(pipeline),

    findByName,

    /** The first pipeline with a tag and an input, if the caller can read one. */
    async findByInput(
      principal: Principal,
      wanted: { tag: string; input: TaskInput },
    ): Promise<PipelineDetails | undefined> {
      const { items } = await store.search(
        { scope: await groups.scope(principal), latest: true, where: pipelineConditions(wanted) },
        { sortBy: 'created', sortOrder: 'asc', from: 0, size: 1 },
      )
      return items[0] && unlessRefused(get(principal, items[0].id))
    },

    async getByName(
      principal: Principal,
      by: { groupName: string; name: string; version?: number | undefined },
    ): Promise<PipelineDetails> {
      const found = await findByName(principal, by)
      if (found !== undefined) return found
      throw access.notFound({ groupName: by.groupName, name: by.name })
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
      const { tag, ...wanted } = parseQuery(query.query)
      const none = { from, totalSize: 0, items: [] }
      if (wanted.id !== undefined && !isUuid(wanted.id)) return none
      if (!['ANY', 'None', 'CRON'].includes(triggerType)) return none
      const isScheduled = triggerType === 'ANY' ? undefined : triggerType === 'CRON'
      const { items, total } = await store.search(
        {
          ...wanted,
          scope: await groups.scope(principal),
          latest,
          where: pipelineConditions({ tag, isScheduled }),
        },
        { sortBy, sortOrder: query.sortOrder ?? (sortBy === 'name' ? 'asc' : 'desc'), from, size },
      )
      return { from, totalSize: total, items: await shownList(principal, items) }
    },

    /** All versions, newest first. */
    async listVersions(
      principal: Principal,
      id: string,
      page: { from: number; size: number },
    ): Promise<Page<Pipeline>> {
      const { item } = await access.require(principal, { id }, 'R')
      const { items, total } = await store.listVersions(item.id, page)
      return { from: page.from, totalSize: total, items: await shownList(principal, items) }
    },

    async create(principal: Principal, input: PipelineInput): Promise<PipelineDetails> {
      const group = await access.requireGroup(principal, input.groupName)
      const saved = await savedOf(principal, group, input)
      const id = randomUUID()
      const outcome = await store.create(id, saved, { note: settingSchedule(id, saved) })
      await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
      return get(principal, id)
    },

    async update(
      principal: Principal,
      id: string,
      { version: basedOn, ...input }: PipelineInput & { version?: number | undefined },
    ): Promise<PipelineDetails> {
      const { item } = await access.require(principal, { id }, 'RW')
      const group = await access.requireGroup(principal, input.groupName)
      const saved = await savedOf(principal, group, input)
      const note = settingSchedule(item.id, saved)
      const outcome = await store.save(item.id, { ...saved, basedOn }, { note })
      await access.requireSaved(principal, outcome, { id, name: input.name, group: group.name })
      return get(principal, item.id)
    },

    async remove(principal: Principal, id: string): Promise<void> {
      const { item } = await access.require(principal, { id }, 'RW')
      await store.transaction(async (executor) => {
        await stopRuns({ pipelineIds: [item.id] }, executor)
        await store.remove(item.id, executor)
      })
    },
  }

  function settingSchedule(id: string, { content, savedBy }: { content: PipelineContent; savedBy: number }) {
    return (executor: Executor) => schedules.set(id, content.tasks, savedBy, executor)
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
    tags: [...stored.summary.tags],
    version: stored.version,
    latest: isNewest,
    lastChangeBy: stored.savedBy,
    modifyDate: formatUtcSeconds(stored.savedAt),
    markdownId: stored.summary.markdownId,
    trigger: schedules.length > 0 ? 'CRON' : 'None',
    schedules: schedules.map(({ cron, timeZone }) => ({
      cron,
      timeZone,
      nextRun: formatUtcSeconds(nextOccurrence([{ cron, timeZone }], after)),
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
