import { defineErrors } from '@headwater/contract'

/** Errors of pipelines and their runs. */
export const pipelineErrors = defineErrors({
  pipelineNotFound: {
    status: 404,
    message: ({ what }: { what: string }) =>
      `There is no pipeline ${what} that you can read. It may have been deleted, moved or renamed.`,
  },
  pipelineExists: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” already has a pipeline “${name}”. Choose another name.`,
    field: 'name',
  },
  pipelineGroupNotFound: {
    status: 400,
    message: ({ group }: { group: string }) =>
      `There is no group “${group}” that you can use. Choose another one, or ask its owner for access.`,
    field: 'groupName',
  },
  pipelineGroupForbidden: {
    status: 403,
    message: ({ group }: { group: string }) =>
      `You can read the group “${group}” but not change what is in it. Choose another group, or ask its owner.`,
    field: 'groupName',
  },
  pipelineChanged: {
    status: 409,
    message: ({ name, by, version }: { name: string; by: string; version: number }) =>
      `“${name}” was saved by ${by} as version ${version} while you were editing it. Your changes have not been saved.`,
  },
  pipelineInvalid: {
    status: 400,
    message: ({ problem }: { problem: string }) => problem,
    field: 'tasks',
  },
  runNotFound: {
    status: 404,
    message: () => 'This run has finished, or you do not have permission to stop it.',
  },
  valueNotFound: {
    status: 404,
    message: ({ key }: { key: string }) =>
      `The run has not stored a value “${key}” yet. The task that provides it must finish first.`,
  },
  tooManyValues: {
    status: 409,
    message: ({ max }: { max: number }) =>
      `The run has stored ${max} values, and a run stores no more. Change one of them, or combine several into one.`,
  },
  tooManyRuns: {
    status: 429,
    message: ({ max }: { max: number }) =>
      `${max} of your runs are waiting or in progress. Wait until one has finished, or stop one.`,
  },
})
