import { defineErrors } from '@headwater/contract'

/** Errors of insights. */
export const insightErrors = defineErrors({
  insightNotFound: {
    status: 404,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is no insight “${name}” in the group “${group}”. It may have been deleted, moved or renamed.`,
  },
  insightExists: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is an insight “${name}” in the group “${group}” already. Choose another name.`,
    field: 'name',
  },
  fileInTheWay: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” has a file “${name}.json” that is no insight. Choose another name.`,
    field: 'name',
  },
  insightChanged: {
    status: 409,
    message: ({ name, owner }: { name: string; owner: string }) =>
      `“${name}” was saved by ${owner} while you were editing it. Nothing of yours has been saved yet.`,
  },
  insightDamaged: {
    status: 422,
    message: ({ name, problem }: { name: string; problem: string }) =>
      `The definition of “${name}” cannot be read: ${problem} Its file is still in the data lake; open an older version or upload a repaired one.`,
  },
  insightTooLarge: {
    status: 400,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `The definition of an insight has at most ${limitBytes} bytes. Move long texts into files.`,
  },
  mayNotEdit: {
    status: 403,
    message: ({ kind }: { kind: 'visualisations' | 'workflows' }) =>
      `You may read insights but not create or change ${kind}. Ask an administrator for the right.`,
  },
})
