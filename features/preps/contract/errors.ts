import { defineErrors } from '@headwater/contract'
import { defineItemErrors } from '@headwater/items/contract'

/** Errors of data preps. */
export const prepErrors = {
  ...defineItemErrors({
    noun: 'data prep',
    codes: {
      notFound: 'prepNotFound',
      exists: 'prepExists',
      groupNotFound: 'outputGroupNotFound',
      groupForbidden: 'outputGroupForbidden',
      changed: 'prepChanged',
    },
    groupField: 'outputGroup',
  }),
  ...defineErrors({
    patternNeedsColumns: {
      status: 400,
      message: ({ index }: { index: number }) =>
        `symbols[${index}] is a pattern that selects all columns. Name its columns, or add the symbols one by one.`,
      field: 'symbols',
    },
    entryNeedsGroup: {
      status: 400,
      message: ({ index }: { index: number }) =>
        `symbols[${index}] has no group. Set its groupName, or the dataGroupName of the data prep.`,
      field: 'symbols',
    },
    prepEmpty: {
      status: 400,
      message: ({ name }: { name: string }) =>
        `The basket of “${name}” is empty. Add at least one symbol before you run it.`,
      field: 'symbols',
    },
    fileInTheWay: {
      status: 400,
      message: ({ fileName, group }: { fileName: string; group: string }) =>
        `The group “${group}” has a file “${fileName}” that was not written by a data prep. Rename the data prep or the file.`,
      field: 'name',
    },
    prepRunNotFound: {
      status: 404,
      message: () => 'This run has finished, or you do not have permission to stop it.',
    },
    prepRunning: {
      status: 409,
      message: ({ name, jobId }: { name: string; jobId: string }) =>
        `Your run of “${name}” is still in progress (job ${jobId}). Wait until it has finished, or stop it.`,
    },
  }),
}
