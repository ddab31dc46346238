import { defineErrors } from '@headwater/contract'

/** Errors of groups. */
export const groupErrors = defineErrors({
  groupNotFound: {
    status: 404,
    message: ({ name }: { name: string }) =>
      `There is no group “${name}” that you can read. Check the name, or ask its owner for access.`,
    field: 'groupName',
  },
  groupForbidden: {
    status: 403,
    message: ({ name, mode }: { name: string; mode: 'RW' | 'RWS' }) =>
      `You can read the group “${name}” but not ${mode === 'RW' ? 'change it or its contents' : 'share or delete it'}. Ask its owner for access.`,
  },
  groupExists: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `A group with the name “${name}” already exists. Choose another name.`,
    field: 'name',
  },
  fieldTwice: {
    status: 400,
    message: ({ name }: { name: string }) =>
      `The field “${name}” appears twice. Field names are unique in a group.`,
    field: 'fields',
  },
  homeGroupStays: {
    status: 400,
    message: ({ name }: { name: string }) => `“${name}” is a home group. Home groups cannot be deleted.`,
  },
})
