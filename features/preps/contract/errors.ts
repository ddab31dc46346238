import { defineErrors } from '@headwater/contract'

/** Errors of data preps. */
export const prepErrors = defineErrors({
  prepNotFound: {
    status: 404,
    message: ({ what }: { what: string }) =>
      `There is no data prep ${what} that you can read. It may have been deleted, moved or renamed.`,
  },
  prepExists: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” already has a data prep “${name}”. Choose another name.`,
    field: 'name',
  },
  outputGroupNotFound: {
    status: 400,
    message: ({ group }: { group: string }) =>
      `There is no group “${group}” that you can use. Choose another one, or ask its owner for access.`,
    field: 'outputGroup',
  },
  outputGroupForbidden: {
    status: 403,
    message: ({ group }: { group: string }) =>
      `You can read the group “${group}” but not change what is in it. Choose another group, or ask its owner.`,
    field: 'outputGroup',
  },
  prepChanged: {
    status: 409,
    message: ({ name, by, version }: { name: string; by: string; version: number }) =>
      `“${name}” was saved by ${by} as version ${version} while you were editing it. Your changes have not been saved.`,
  },
  patternNeedsColumns: {
    status: 400,
    message: ({ index }: { index: number }) =>
      `symbols[${index}] is a pattern of symbols with all columns. Name the columns that are wanted of it, or choose its symbols one by one.`,
    field: 'symbols',
  },
  entryNeedsGroup: {
    status: 400,
    message: ({ index }: { index: number }) =>
      `symbols[${index}] names no group. Give it a groupName, or name a dataGroupName for the whole data prep.`,
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
      `The group “${group}” has a file “${fileName}” that no data prep wrote. Rename the data prep, or that file.`,
    field: 'name',
  },
  prepRunning: {
    status: 409,
    message: ({ name, jobId }: { name: string; jobId: string }) =>
      `Your run of “${name}” is still in progress (job ${jobId}). Wait until it has finished.`,
  },
})
