import { invalidInput, type Page, type RouteOutput } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { File } from '@headwater/files/contract'
import type { Groups } from '@headwater/groups/server'
import type { Task } from '@headwater/tasks/contract'
import type { Tasks } from '@headwater/tasks/server'
import {
  DefinitionError,
  insightErrors,
  isTooDeep,
  templateDefinition,
  templateFileType,
  type getInsightTemplate,
  upgradeContent,
  type TemplateDefinition,
  type TemplateSummary,
} from '../contract/index.ts'
import { checkContent, definitionText } from './definition-checks.ts'
import { requireEdit, typeOfContent } from './insight-access.ts'
import { fileNameOf, maxDefinitionBytes, readBytes, textOf, type InsightFiles } from './insight-files.ts'
import type { InsightsReadModel } from './insights-read-model.ts'

export interface TemplatesServiceDependencies {
  readModel: InsightsReadModel
  insightFiles: InsightFiles
  files: Pick<Files, 'search' | 'get' | 'getReadable' | 'readContent'>
  groups: Pick<Groups, 'access'>
  tasks: Pick<Tasks, 'findRunnable'>
  createId: () => string
}

export type TemplatesService = ReturnType<typeof createTemplatesService>

/** The rules of templates of insights: each is a file of a type of its own in a group. */
export function createTemplatesService(dependencies: TemplatesServiceDependencies) {
  const { readModel, insightFiles, files, groups, tasks, createId } = dependencies

  function parse(text: string): TemplateDefinition {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw new DefinitionError('it is not JSON.')
    }
    if (isTooDeep(value)) throw new DefinitionError('it is nested too deeply.')
    const { insight } = (value ?? {}) as { insight?: unknown }
    if (typeof insight !== 'object' || insight === null || Array.isArray(insight))
      throw new DefinitionError('it has no insight.')
    const upgraded = { ...(value as object), insight: upgradeContent(insight as never, createId) }
    const parsed = templateDefinition.safeParse(upgraded)
    if (parsed.success) return parsed.data
    const issue = parsed.error.issues[0]
    throw new DefinitionError(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is not valid.'}`)
  }

  /** The task with the names of the parameters that it has too; refuses one that is not there. */
  async function taskWithParams(
    principal: Principal,
    named: NonNullable<TemplateDefinition['task']>,
    parameters: TemplateDefinition['parameters'],
  ) {
    const { task } = await tasks.findRunnable(principal, named)
    return withParams(named, task, parameters)
  }

  return {
    async search(
      principal: Principal,
      { query, from, size }: { query: string; from: number; size: number },
    ): Promise<Page<TemplateSummary>> {
      const word = query.replace(/[&=*]/g, ' ').trim()
      const text = `type=${templateFileType}${word === '' ? '' : `&name=*${word}*`}`
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

    async create(
      principal: Principal,
      {
        groupName,
        name,
        content,
        ...rest
      }: {
        groupName: string
        name: string
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
      // The template is one level deeper than its insight, and must be read again.
      if (isTooDeep(definition))
        throw invalidInput([{ field: 'content', message: 'The definition is nested too deeply.' }])
      const text = definitionText(definition)
      const group = await groups.access.getGroup(principal, groupName, 'RW')
      const there = await readModel.findFile(group.id, fileNameOf(name))
      if (there?.fileType === 'INSIGHT') throw insightErrors.insightExists({ name, group: group.name })
      if (there !== undefined && there.fileType !== templateFileType)
        throw insightErrors.fileInTheWay({ name, group: group.name })
      const fileId = await insightFiles.write(principal, {
        groupName: group.name,
        fileName: fileNameOf(name),
        fileType: templateFileType,
        fields: { description: rest.description },
        content: text,
      })
      return { fileId }
    },
  }
}

/** A task with the names of the parameters that it and the template have. A script is the business of the task alone. */
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
