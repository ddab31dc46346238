import {
  AppError,
  invalidInput,
  isRecord,
  type Page,
  type RouteInput,
  type RouteOutput,
} from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { File } from '@headwater/files/contract'
import type { AccessibleGroup, Groups } from '@headwater/groups/server'
import type { Task } from '@headwater/tasks/contract'
import type { Tasks } from '@headwater/tasks/server'
import {
  DefinitionError,
  insightErrors,
  isTooDeep,
  templateDefinition,
  templateFileType,
  type getInsightTemplate,
  type lookUpTemplateName,
  upgradeContent,
  type TemplateDefinition,
  type TemplateSummary,
} from '../contract/index.ts'
import { checkContent, definitionText } from './definition-checks.ts'
import { requireEdit, typeOfContent } from './insight-access.ts'
import { fileNameOf, maxDefinitionBytes, readBytes, textOf, type InsightFiles } from './insight-files.ts'
import type { InsightLocks } from './insight-locks.ts'
import type { InsightsReadModel, StoredFile } from './insights-read-model.ts'
import { freeTemplateName } from './template-name.ts'

/** Dependencies of the template service. */
export interface TemplatesServiceDependencies {
  /** Finds the files of templates by name. */
  readModel: InsightsReadModel
  /** Writes templates into files. */
  insightFiles: InsightFiles
  /** Serialises changes of the same template. */
  locks: InsightLocks
  /** Searches and reads the files of templates. */
  files: Pick<Files, 'search' | 'get' | 'getReadable' | 'readContent'>
  /** Checks access to groups. */
  groups: Pick<Groups, 'access'>
  /** Finds the task of a template. */
  tasks: Pick<Tasks, 'findRunnable'>
  /** Returns a new unique id for a part of an upgraded definition. */
  createId: () => string
}

/** The service of templates. */
export type TemplatesService = ReturnType<typeof createTemplatesService>

/** Implements insight templates. Each template is a file of a separate type in a group. */
export function createTemplatesService(dependencies: TemplatesServiceDependencies) {
  const { readModel, insightFiles, locks, files, groups, tasks, createId } = dependencies

  function parse(text: string): TemplateDefinition {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new DefinitionError('it is not JSON.')
    }
    if (isTooDeep(value)) throw new DefinitionError('it is nested too deeply.')
    const { insight } = (value ?? {}) as { insight?: unknown }
    if (!isRecord(insight)) throw new DefinitionError('it has no insight.')
    const upgraded = { ...(value as object), insight: upgradeContent(insight as never, createId) }
    const parsed = templateDefinition.safeParse(upgraded)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw new DefinitionError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid.'}`)
  }

  /** Returns the task with the names of the parameters that it shares; rejects a missing task. */
  async function taskWithParams(
    principal: Principal,
    named: NonNullable<TemplateDefinition['task']>,
    parameters: TemplateDefinition['parameters'],
  ) {
    const { task } = await tasks.findRunnable(principal, named)
    return withParams(named, task, parameters)
  }

  /** Writes a version that follows `there`. Does not replace a version that was saved in between. */
  async function write(
    principal: Principal,
    group: AccessibleGroup,
    {
      name,
      there,
      description,
      text,
    }: { name: string; there: StoredFile | undefined; description: string; text: string },
  ): Promise<{ fileId: string }> {
    try {
      const fileId = await insightFiles.write(principal, {
        groupName: group.name,
        fileName: fileNameOf(name),
        fileType: templateFileType,
        fields: { description },
        content: text,
        basedOn: there?.fid ?? null,
      })
      return { fileId }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'notNewestVersion') throw error
      // A file with this name was uploaded in the meantime.
      throw inTheWay(group, name, await readModel.findFile(group.id, fileNameOf(name)))
    }
  }

  return {
    async search(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ): Promise<Page<TemplateSummary>> {
      const name = query.trim().replace(/[&=]/g, '*')
      const text = `type=${templateFileType}${name === '' ? '' : `&name=*${name}*`}`
      const page = await files.search(principal, {
        query: text,
        latest: true,
        withStatus: false,
        sortBy: 'arrivalTime',
        from,
        size,
      })
      return { from, totalSize: page.totalSize, items: page.items.map(summaryOf) }
    },

    async get(
      principal: Principal,
      { groupName, name }: { groupName: string; name: string },
    ): Promise<RouteOutput<typeof getInsightTemplate>> {
      const group = await unlessRefused(groups.access.getGroup(principal, groupName, 'R'))
      const stored = group && (await readModel.findFile(group.id, fileNameOf(name)))
      if (stored?.fileType !== templateFileType) throw insightErrors.templateNotFound()
      if (stored.sizeBytes > maxDefinitionBytes * 2)
        throw insightErrors.templateDamaged({ name, problem: 'it is too large.' })
      const file = await files.getReadable(principal, stored.fid)
      try {
        const definition = parse(textOf(await readBytes(await files.readContent(file))))
        const known = definition.task && (await unlessRefused(tasks.findRunnable(principal, definition.task)))
        return {
          ...summaryOf(await files.get(principal, stored.fid)),
          definition:
            definition.task === undefined || known === undefined
              ? definition
              : { ...definition, task: withParams(definition.task, known.task, definition.parameters) },
          task:
            known === undefined
              ? null
              : { id: known.task.id, version: known.task.version, savedBy: known.task.modifiedBy },
        }
      } catch (error) {
        if (!(error instanceof DefinitionError)) throw error
        throw insightErrors.templateDamaged({ name, problem: error.message })
      }
    },

    /** Returns a free name for a template of an insight, and the template with a given name. */
    async lookUpName(
      principal: Principal,
      { groupName, insightName, name }: RouteInput<typeof lookUpTemplateName>['query'],
    ): Promise<RouteOutput<typeof lookUpTemplateName>> {
      const group = await groups.access.getGroup(principal, groupName, 'R')
      const freeName = await freeTemplateName(insightName, async (names) => {
        const taken = await readModel.takenNames(group.id, names.map(fileNameOf))
        return names.filter((each) => taken.includes(fileNameOf(each)))
      })
      const there = name === undefined ? undefined : await readModel.findFile(group.id, fileNameOf(name))
      if (there?.fileType !== templateFileType) return { freeName, template: null }
      return {
        freeName,
        template: { ...summaryOf(await files.get(principal, there.fid)), fileId: there.fid },
      }
    },

    async create(
      principal: Principal,
      {
        groupName,
        name,
        expectedFileId,
        content,
        ...rest
      }: {
        groupName: string
        name: string
        expectedFileId?: string | undefined
        description: string
        parameters: TemplateDefinition['parameters']
        outputs: TemplateDefinition['outputs']
        task?: TemplateDefinition['task']
        content: TemplateDefinition['insight']
      },
    ): Promise<{ fileId: string }> {
      requireEdit(principal, typeOfContent(content))
      checkContent(content)
      const task = rest.task && (await taskWithParams(principal, rest.task, rest.parameters))
      const definition = { ...rest, ...(task === undefined ? {} : { task }), insight: content }
      // The template is nested one level deeper than its insight and must stay readable.
      if (isTooDeep(definition))
        throw invalidInput([{ field: 'content', message: 'The definition is nested too deeply.' }])
      const text = definitionText(definition)
      const group = await groups.access.getGroup(principal, groupName, 'RW')
      return locks.whileLocked([{ groupId: group.id, insightName: name }], async () => {
        const there = await readModel.findFile(group.id, fileNameOf(name))
        if (there !== undefined && (there.fileType !== templateFileType || there.fid !== expectedFileId))
          throw inTheWay(group, name, there)
        return write(principal, group, { name, there, description: rest.description, text })
      })
    },
  }
}

/** Returns the error for a file with the name of a template, if it still exists. */
function inTheWay(group: AccessibleGroup, name: string, there: StoredFile | undefined): AppError {
  const about = { name, group: group.name }
  if (there?.fileType === templateFileType)
    return insightErrors.templateExists({ ...about, owner: there.owner })
  return there?.fileType === 'INSIGHT'
    ? insightErrors.insightExists(about)
    : insightErrors.fileInTheWay(about)
}

/**
 * Returns the task with the names of the parameters that it shares with the template. Other parts of the task, such as
 * its script, are not included.
 */
function withParams(
  named: NonNullable<TemplateDefinition['task']>,
  task: Pick<Task, 'params'>,
  parameters: TemplateDefinition['parameters'],
): NonNullable<TemplateDefinition['task']> {
  const known = task.params
    .filter(({ type, valueType }) => type === 'INPUT' && valueType !== 'SCRIPT')
    .map(({ name }) => name)
  return { ...named, params: parameters.map(({ name }) => name).filter((name) => known.includes(name)) }
}

function summaryOf(file: File): TemplateSummary {
  const { description } = file.fields
  return {
    name: file.fileName.replace(/\.json$/i, ''),
    groupName: file.groupName,
    description: typeof description === 'string' ? description : '',
    owner: file.owner,
    modified: file.arrivalTime,
  }
}
