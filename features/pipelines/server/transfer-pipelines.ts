import { canWrite } from '@headwater/groups/contract'
import { AppError } from '@headwater/contract'
import { unlessRefused, type Principal } from '@headwater/server-kit'
import {
  cronTriggerName,
  pipelineErrors,
  pipelineFile,
  triggerInput,
  type ImportPreview,
  type PipelineDetails,
  type PipelineFile,
  type PipelineInput,
  type PipelineTask,
  type PipelineTrigger,
  type TriggerInput,
} from '../contract/index.ts'
import { pipelineDifference } from '../core/index.ts'
import { accessToPipelines } from './pipeline-access.ts'
import { toDetails } from './pipeline-view.ts'
import type { PipelinesServiceDependencies } from './pipelines-dependencies.ts'
import { createPipeline, updatePipeline } from './save-pipelines.ts'
import { groupIn, groupsOfTrigger, objectIn } from './sharing/groups-of-pipeline.ts'

/** Maximum nesting depth of the canvas data in a file. */
const maxDepth = 50

/** Dependencies of exports and imports. */
export interface TransferDependencies extends PipelinesServiceDependencies {
  /** Lists and sets the triggers of a pipeline. */
  triggers: {
    list(principal: Principal, pipelineId: string): Promise<PipelineTrigger[]>
    set(principal: Principal, pipelineId: string, inputs: readonly TriggerInput[]): Promise<unknown>
  }
}

/** A request to import a pipeline. */
export interface PipelineImport {
  file: PipelineFile
  groupName?: string | undefined
  name?: string | undefined
  /** Groups that replace groups in the file. */
  groups: readonly { from: string; to: string }[]
  /** Version of the existing pipeline that the import replaces. */
  version?: number | undefined
  /** Whether to return only a preview. */
  dryRun: boolean
}

/** The service that exports and imports pipelines. */
export type TransferService = ReturnType<typeof createTransferService>

/** Creates the service. */
export function createTransferService(deps: TransferDependencies) {
  return {
    exportPipeline: (principal: Principal, id: string): Promise<PipelineFile> =>
      exportPipeline(deps, principal, id),
    importPipeline: (principal: Principal, request: PipelineImport) =>
      importPipeline(deps, principal, request),
  }
}

/**
 * Returns the newest version of a pipeline as a file. Triggers have no ids and no secrets; parameters contain only the names of
 * secrets.
 * @throws pipelineNotFound
 */
async function exportPipeline(
  deps: TransferDependencies,
  principal: Principal,
  id: string,
): Promise<PipelineFile> {
  const { item, group } = await accessToPipelines(deps).require(principal, { id }, 'R')
  const { tasks, payload, tags, executionMode = 'durable' } = item.content
  const triggers = canWrite(group.access) ? await deps.triggers.list(principal, item.id) : []
  return pipelineFile.parse({
    format: 'headwater-pipeline',
    formatVersion: 1,
    pipeline: { name: item.name, groupName: item.groupName, tags, payload, executionMode, tasks },
    triggers: triggers.map(({ id: _id, ...trigger }) => triggerInput.parse(trigger)),
  })
}

/**
 * Previews or executes an import. An import runs nothing: its schedules are paused and its triggers are switched off.
 * @throws pipelineInvalid for canvas data that no editor would write, pipelineExists, and the errors of saves
 */
async function importPipeline(
  deps: TransferDependencies,
  principal: Principal,
  request: PipelineImport,
): Promise<{ preview: ImportPreview; saved: PipelineDetails | null }> {
  const { input, triggers, notes } = translate(request)
  const preview = await previewOf(deps, principal, request, { input, triggers, notes })
  if (request.dryRun) return { preview, saved: null }
  if (preview.action === 'create') {
    const id = await createPipeline(deps, principal, input)
    // The pipeline is imported without its triggers, and a note states the reason.
    if (triggers.length > 0) {
      const problem = await problemOf(deps.triggers.set(principal, id, triggers))
      if (problem !== undefined) preview.notes.push(`The triggers were not added. ${problem}`)
    }
    return { preview, saved: await detailsOf(deps, principal, id) }
  }
  const existing = await findExisting(deps, principal, input)
  if (request.version === undefined || existing === undefined)
    throw pipelineErrors.exists({ name: input.name, group: input.groupName })
  await updatePipeline(deps, principal, existing.pipeline.id, { ...input, version: request.version })
  return { preview, saved: await detailsOf(deps, principal, existing.pipeline.id) }
}

/** A file after its group names were mapped to this installation. */
interface Translated {
  input: PipelineInput
  triggers: TriggerInput[]
  notes: string[]
}

function translate({ file, groups, name, groupName }: PipelineImport): Translated {
  const problem = problemOfPayload(file.pipeline.payload)
  if (problem !== undefined) throw pipelineErrors.pipelineInvalid({ problem })
  const names = new Map(groups.map(({ from, to }) => [from, to]))
  const here = (group: string) => names.get(group) ?? group
  const notes: string[] = []
  const tasks = file.pipeline.tasks.map((task): PipelineTask => {
    const isSchedule = task.taskName === cronTriggerName && task.taskGroup === ''
    if (isSchedule && !task.isPaused)
      notes.push(`The schedule “${task.taskReadableName}” is off. Remove its pause to switch it on.`)
    return {
      ...task,
      taskCategory: '',
      nextTasks: [],
      isPaused: task.isPaused || isSchedule,
      taskGroup: task.taskGroup === '' ? '' : here(task.taskGroup),
      taskOverrides: {
        params: task.taskOverrides.params.map((param) => ({ ...param, value: valueHere(param, here) })),
      },
    }
  })
  const triggers: TriggerInput[] = []
  for (const trigger of file.triggers) {
    if (trigger.type === 'PIPELINE')
      notes.push(
        'A trigger that follows another pipeline was omitted. Add it again with a pipeline of this installation.',
      )
    else triggers.push({ ...triggerHere(trigger, here), id: undefined, active: false })
  }
  const input = {
    ...file.pipeline,
    tasks,
    name: name ?? file.pipeline.name,
    groupName: groupName ?? here(file.pipeline.groupName),
  }
  return { input, triggers, notes }
}

function triggerHere(trigger: TriggerInput, here: (group: string) => string): TriggerInput {
  if (trigger.type === 'FILEARRIVAL') return { ...trigger, groupName: here(trigger.groupName) }
  if (trigger.type === 'EMAIL' && trigger.attachmentsGroupName)
    return { ...trigger, attachmentsGroupName: here(trigger.attachmentsGroupName) }
  return trigger
}

/** Replaces the group in a parameter value: the name itself, or `groupName` in an object. */
function valueHere(
  { name, value }: { name: string; value: string },
  here: (group: string) => string,
): string {
  const group = groupIn(name, value)
  if (group === undefined || here(group) === group) return value
  return group === value ? here(group) : JSON.stringify({ ...objectIn(value), groupName: here(group) })
}

async function previewOf(
  deps: TransferDependencies,
  principal: Principal,
  request: PipelineImport,
  { input, triggers, notes }: Translated,
): Promise<ImportPreview> {
  const existing = await findExisting(deps, principal, input)
  const before = existing
    ? { ...existing.pipeline, payload: existing.payload, tasks: existing.batchConfig.tasks }
    : { ...input, tasks: [] }
  return {
    action: existing === undefined ? 'create' : 'update',
    name: input.name,
    groupName: input.groupName,
    version: existing?.pipeline.version ?? null,
    groups: await groupsOf(deps, principal, request, input),
    missingTasks: await missingTasks(deps, principal, input.tasks),
    changes: pipelineDifference(before, input),
    triggers: existing === undefined ? triggers.length : 0,
    notes:
      existing === undefined || triggers.length === 0
        ? notes
        : [
            ...notes,
            'The triggers of the existing pipeline remain unchanged. Triggers in the file are omitted.',
          ],
  }
}

async function groupsOf(
  { groups }: TransferDependencies,
  principal: Principal,
  { file, groups: mapping }: PipelineImport,
  { groupName }: PipelineInput,
): Promise<ImportPreview['groups']> {
  const used = new Set([file.pipeline.groupName])
  for (const { taskGroup, taskOverrides } of file.pipeline.tasks) {
    if (taskGroup !== '') used.add(taskGroup)
    for (const { name, value } of taskOverrides.params) {
      const group = groupIn(name, value)
      if (group !== undefined) used.add(group)
    }
  }
  for (const group of file.triggers.flatMap(groupsOfTrigger)) used.add(group)
  const result: ImportPreview['groups'] = []
  for (const from of used) {
    const mapped = mapping.find((each) => each.from === from)?.to ?? from
    const to = from === file.pipeline.groupName ? groupName : mapped
    const group = await unlessRefused(groups.getGroup(principal, to, 'R'))
    result.push({ from, to, access: group?.access ?? null })
  }
  return result
}

async function missingTasks(
  { plans }: TransferDependencies,
  principal: Principal,
  tasks: readonly PipelineTask[],
): Promise<string[]> {
  const missing: string[] = []
  for (const task of tasks)
    if ((await unlessRefused(plans.lookUp(principal, [task]))) === undefined)
      missing.push(task.taskReadableName)
  return missing
}

async function findExisting(
  deps: TransferDependencies,
  principal: Principal,
  { groupName, name }: { groupName: string; name: string },
): Promise<PipelineDetails | undefined> {
  const access = accessToPipelines(deps)
  const match = await unlessRefused(access.require(principal, { groupName, name }, 'R'))
  return match && toDetails(deps, principal, match)
}

async function detailsOf(
  deps: TransferDependencies,
  principal: Principal,
  id: string,
): Promise<PipelineDetails> {
  return toDetails(deps, principal, await accessToPipelines(deps).require(principal, { id }, 'R'))
}

async function problemOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message
    throw error
  }
}

/** Returns an error message for dangerous canvas data in a file: names that modify JavaScript objects, or deep nesting. */
function problemOfPayload(payload: string): string | undefined {
  let level: unknown[] = [JSON.parse(payload)]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth)
      return `The canvas data of the file is nested more than ${maxDepth} levels deep. Export the pipeline again.`
    const next: unknown[] = []
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue
      for (const [key, child] of Object.entries(value)) {
        if (key === '__proto__' || key === 'prototype')
          return `The canvas data of the file has a member “${key}”. Export the pipeline again.`
        next.push(child)
      }
    }
    level = next
  }
  return undefined
}
