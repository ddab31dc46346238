import { defineErrors } from '@headwater/contract'

/** Errors of tasks. */
export const taskErrors = defineErrors({
  taskNotFound: {
    status: 404,
    message: ({ what }: { what: string }) =>
      `There is no task ${what} that you can read. It may have been deleted, moved or renamed.`,
  },
  taskExists: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” already has a task “${name}”. Choose another name.`,
    field: 'name',
  },
  taskGroupNotFound: {
    status: 400,
    message: ({ group }: { group: string }) =>
      `There is no group “${group}” that you can use. Choose another one, or ask its owner for access.`,
    field: 'groupName',
  },
  taskGroupForbidden: {
    status: 403,
    message: ({ group }: { group: string }) =>
      `You can read the group “${group}” but not change what is in it. Choose another group, or ask its owner.`,
    field: 'groupName',
  },
  taskChanged: {
    status: 409,
    message: ({ name, by, version }: { name: string; by: string; version: number }) =>
      `“${name}” was saved by ${by} as version ${version} while you were editing it. Your changes have not been saved.`,
  },
  taskDefinitionUnknown: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `There is no task type “${name}”. GET /mgmt/task/definitions lists the available ones.`,
    field: 'definitionName',
  },
  paramUnknown: {
    status: 400,
    message: ({ task, param }: { task: string; param: string }) =>
      `The task “${task}” has no parameter “${param}”. Look at its parameters and use their exact names.`,
    field: 'params',
  },
  scriptGiven: {
    status: 400,
    message: ({ task, param }: { task: string; param: string }) =>
      `“${param}” is the script of the task “${task}” and is changed only where the task is saved. Leave it out, or save a task with the other script and run that one.`,
    field: 'params',
  },
  paramInvalid: {
    status: 400,
    message: ({ problem }: { problem: string }) => problem,
    field: 'params',
  },
  paramMissing: {
    status: 400,
    message: ({ task, param }: { task: string; param: string }) =>
      `The task “${task}” needs a value for its parameter “${param}”.`,
    field: 'params',
  },
  noOpenAiKey: {
    status: 409,
    message: () => 'This server has no OpenAI key. Run the task without it.',
  },
})
