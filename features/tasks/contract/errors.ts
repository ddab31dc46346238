import { defineErrors } from '@headwater/contract'
import { defineItemErrors } from '@headwater/items/contract'

/** Errors of tasks. */
export const taskErrors = {
  ...defineItemErrors({
    noun: 'task',
    codes: {
      notFound: 'taskNotFound',
      exists: 'taskExists',
      groupNotFound: 'taskGroupNotFound',
      groupForbidden: 'taskGroupForbidden',
      changed: 'taskChanged',
    },
    groupField: 'groupName',
  }),
  ...defineErrors({
    taskDefinitionUnknown: {
      status: 400,
      message: ({ name }: { name: string }) =>
        `There is no kind of task “${name}”. GET /mgmt/task/definitions lists the available kinds.`,
      field: 'definitionName',
    },
    paramUnknown: {
      status: 400,
      message: ({ task, param }: { task: string; param: string }) =>
        `The task “${task}” has no parameter “${param}”. Use the exact names of its parameters.`,
      field: 'params',
    },
    scriptGiven: {
      status: 400,
      message: ({ task, param }: { task: string; param: string }) =>
        `“${param}” is the script of the task “${task}” and is part of the saved task. Omit it, or save a task with a different script and run that task.`,
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
    notTestable: {
      status: 400,
      message: ({ kind }: { kind: string }) =>
        `Tasks of the kind “${kind}” have no test run. Save the task and run it.`,
      field: 'definitionName',
    },
    testInProgress: {
      status: 409,
      message: () => 'A test run of yours is in progress. Stop it, or wait until it ends.',
    },
    testsUnavailable: {
      status: 409,
      message: () => 'This server does not execute scripts at the moment. Save the task and run it.',
    },
    noOpenAiKey: {
      status: 409,
      message: () => 'This server has no OpenAI key. Run the task without it.',
    },
  }),
}
