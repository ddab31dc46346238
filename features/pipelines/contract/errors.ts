import { cutText, defineErrors } from '@headwater/contract'
import { defineItemErrors } from '@headwater/items/contract'

/** Errors of pipelines and their runs. */
export const pipelineErrors = {
  ...defineItemErrors({
    noun: 'pipeline',
    codes: {
      notFound: 'pipelineNotFound',
      exists: 'pipelineExists',
      groupNotFound: 'pipelineGroupNotFound',
      groupForbidden: 'pipelineGroupForbidden',
      changed: 'pipelineChanged',
    },
    groupField: 'groupName',
  }),
  ...defineErrors({
    pipelineInvalid: {
      status: 400,
      message: ({ problem }: { problem: string }) => problem,
      field: 'tasks',
    },
    groupsChanged: {
      status: 409,
      message: () =>
        'The groups of the pipeline have changed. Nothing was shared. Review the groups, then share again.',
    },
    runNotFound: {
      status: 404,
      message: () => 'This run has finished, or you do not have permission to change it.',
    },
    editRejected: {
      status: 400,
      message: ({ fileName, reason }: { fileName: string; reason: string }) =>
        `The edited file ${cutText(fileName)} was rejected, and the run is still paused: ${reason}`,
      field: 'changes',
    },
    noRunForValue: {
      status: 404,
      message: ({ key }: { key: string }) =>
        `“${key}” belongs to a run. Send the job id of your run in the header X-KH-JOB-ID, or the id of a pipeline that you have run.`,
    },
    valueNotFound: {
      status: 404,
      message: ({ key }: { key: string }) =>
        `There is no stored value “${key}” yet. The task that provides it must finish first.`,
    },
    tooManyValues: {
      status: 409,
      message: ({ max }: { max: number }) =>
        `The limit of ${max} stored values has been reached. Change an existing value, or combine several values.`,
    },
    triggerInvalid: {
      status: 400,
      message: ({ problem }: { problem: string }) => problem,
      field: 'schedulerTriggers',
    },
    webhookNotFound: {
      status: 404,
      message: () => 'There is no active webhook with this URL.',
    },
    webhookSignature: {
      status: 401,
      message: () =>
        'The signature of the call is missing, wrong or older than 5 minutes. Send X-Headwater-Timestamp (seconds since 1970) and X-Headwater-Signature: sha256=<hex HMAC-SHA256 of "<timestamp>.<body>">.',
    },
    tooManyEvents: {
      status: 429,
      message: ({ max }: { max: number }) =>
        `${max} calls to this webhook are waiting for their runs to start. Try again later.`,
    },
    limitTargetInvalid: {
      status: 400,
      message: () => 'Set either a pipeline or a group.',
      field: 'pipelineId',
    },
    valueMissing: {
      status: 400,
      message: ({ input, task, provider }: { input: string; task: string; provider: string }) =>
        `“${input}” of “${task}” uses an output of “${provider}”, which is not part of this run. Pin a value for this output, or choose an earlier run that has this output.`,
      field: 'pinned',
    },
    tooManyRuns: {
      status: 429,
      message: ({ max }: { max: number }) =>
        `${max} of your runs are waiting or in progress. Wait until one has finished, or stop one.`,
    },
  }),
}
