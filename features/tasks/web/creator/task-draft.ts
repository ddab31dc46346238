import type { Task, TaskDefinition, TaskInput, TaskParam } from '../../contract/index.ts'

/** A parameter of a task's own, with a key that stays while it is edited. */
export type OwnParam = TaskParam & { key: number }

/** A task while it is edited. */
export type TaskDraft = Omit<TaskInput, 'params'> & {
  /** Parameters of its kind, in the order of the kind. */
  kindParams: TaskParam[]
  /** Parameters that the task has besides. */
  ownParams: OwnParam[]
}

/** The draft of a new task of a kind. */
export function newTask(definition: TaskDefinition, groupName: string): TaskDraft {
  const { definitionName, timeout, memory, params } = definition
  return {
    name: '',
    groupName,
    readableName: '',
    description: '',
    isPaused: false,
    definitionName,
    timeout,
    memory,
    kindParams: params,
    ownParams: [],
  }
}

/** The draft of a stored task; of a kind that is not known any more all parameters count as its own. */
export function draftOf(task: Task, definition: TaskDefinition | undefined): TaskDraft {
  const { name, groupName, readableName, description, isPaused, definitionName, timeout, memory } = task
  const ofKind = new Set(definition?.params.map((param) => param.name))
  return {
    name,
    groupName,
    readableName: readableName === name ? '' : readableName,
    description,
    isPaused,
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

/** The draft as one of another kind: what both kinds have keeps its values. */
export function withKind(draft: TaskDraft, definition: TaskDefinition): TaskDraft {
  const { definitionName, timeout, memory, params, openParams } = definition
  return {
    ...draft,
    definitionName,
    timeout,
    memory,
    kindParams: params.map((param) => ({
      ...param,
      value: draft.kindParams.find(({ name }) => name === param.name)?.value ?? param.value,
    })),
    ownParams: openParams ? draft.ownParams : [],
  }
}

/** The draft with one more parameter, named as clients of the ecosystem name theirs. */
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

/** What is saved of a draft. */
export function inputOf({ kindParams, ownParams, ...rest }: TaskDraft): TaskInput {
  return { ...rest, params: [...kindParams, ...ownParams.map(({ key: _key, ...param }) => param)] }
}
