import {
  pausedByParams,
  withDefaults,
  type Task,
  type TaskDefinition,
  type TaskInput,
  type TaskParam,
} from '../../contract/index.ts'
import { starterScript } from './starter-script.ts'

/** One of the task's own parameters, with a key that remains stable during editing. */
export type OwnParam = TaskParam & { key: number }

/** Unsaved state of a task in the creator. */
export type TaskDraft = Omit<TaskInput, 'params'> & {
  /** Parameters of the kind, in its order. */
  kindParams: TaskParam[]
  /** The task's own parameters. */
  ownParams: OwnParam[]
}

/** Returns the draft of a new task of a kind. */
export function newTask(definition: TaskDefinition, groupName: string): TaskDraft {
  const { definitionName, timeout, memory, params } = definition
  return {
    name: '',
    groupName,
    readableName: '',
    description: '',
    isPaused: false,
    requirements: [],
    definitionName,
    timeout,
    memory,
    kindParams: params.map((param) => ({ ...param, value: firstValueOf(definition, param) })),
    ownParams: [],
  }
}

/** Returns the initial value of a parameter: the default of the kind, or its starter script. */
function firstValueOf({ definitionName }: TaskDefinition, { valueType, value }: TaskParam): string {
  return value === '' && valueType === 'SCRIPT' ? (starterScript(definitionName) ?? value) : value
}

/** Returns the draft of a saved task. If the installation no longer has the kind, all parameters count as the task's own. */
export function draftOf(task: Task, definition: TaskDefinition | undefined): TaskDraft {
  const { name, groupName, readableName, description, isPaused, definitionName, timeout, memory } = task
  const ofKind = new Set(definition?.params.map((param) => param.name))
  return {
    name,
    groupName,
    readableName: readableName === name ? '' : readableName,
    description,
    isPaused,
    requirements: task.requirements,
    definitionName,
    timeout,
    memory,
    markdownId: task.markdownId,
    kindParams: task.params.filter((param) => ofKind.has(param.name)),
    ownParams: task.params
      .filter((param) => !ofKind.has(param.name))
      .map((param, key) => ({ ...param, key })),
  }
}

/**
 * Changes the kind of a draft. Parameters that both kinds have keep their values, except empty scripts and unchanged starter
 * scripts.
 */
export function withKind(draft: TaskDraft, definition: TaskDefinition): TaskDraft {
  const { definitionName, timeout, memory, params, openParams } = definition
  const values = new Map(
    draft.kindParams
      .filter(({ valueType, value }) => valueType !== 'SCRIPT' || !isUnwritten(draft, value))
      .map(({ name, value }) => [name, value]),
  )
  return {
    ...draft,
    definitionName,
    timeout,
    memory,
    requirements: openParams ? draft.requirements : [],
    kindParams: params.map((param) => ({
      ...param,
      value: values.get(param.name) ?? firstValueOf(definition, param),
    })),
    ownParams: openParams ? draft.ownParams : [],
  }
}

function isUnwritten({ definitionName }: TaskDraft, script: string): boolean {
  return script.trim() === '' || script === starterScript(definitionName)
}

/** Adds a parameter named `Input #n`, as clients of the ecosystem do. */
export function withParam({ ownParams, ...draft }: TaskDraft): TaskDraft {
  const names = new Set(ownParams.map(({ name }) => name))
  let number = 1
  while (names.has(`Input #${number}`)) number++
  const param: OwnParam = {
    key: Math.max(-1, ...ownParams.map(({ key }) => key)) + 1,
    name: `Input #${number}`,
    type: 'INPUT',
    valueType: 'TEXT',
    value: '',
    defaultValue: '',
    dynamic: false,
    optional: false,
    description: '',
  }
  return { ...draft, ownParams: [...ownParams, param] }
}

/** Returns the body of the save request. */
export function inputOf({ kindParams, ownParams, ...rest }: TaskDraft): TaskInput {
  const params = withDefaults([...kindParams, ...ownParams.map(({ key: _key, ...param }) => param)])
  return { ...rest, isPaused: pausedByParams(params) ?? rest.isPaused, params }
}
