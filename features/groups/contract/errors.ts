import { defineErrors } from '@headwater/contract'
import type { GroupAccessMode } from './access.ts'

const deniedActions: Record<Exclude<GroupAccessMode, 'R'>, string> = {
  RW: 'change it or its contents',
  RS: 'share it',
  RWS: 'both change and share it',
}

/** Errors of groups. */
export const groupErrors = defineErrors({
  groupDeleted: {
    status: 404,
    message: () => 'A group was deleted in the meantime. Nothing was shared. Reload the page.',
    field: 'groupName',
  },
  groupNotFound: {
    status: 404,
    message: ({ name }: { name: string }) =>
      `There is no group “${name}” that you can read. Check the name, or ask its owner for access.`,
    field: 'groupName',
  },
  groupLimited: {
    status: 403,
    message: ({ name }: { name: string }) =>
      `The group “${name}” is shared with you for a range of dates. You can read only its symbols, points and files within the range. Ask its owner to share the whole group.`,
    field: 'groupName',
  },
  groupForbidden: {
    status: 403,
    message: ({ name, mode }: { name: string; mode: Exclude<GroupAccessMode, 'R'> }) =>
      `You can read the group “${name}” but not ${deniedActions[mode]}. Ask its owner for access.`,
  },
  groupChanged: {
    status: 409,
    message: ({ name, by, version }: { name: string; by: string; version: number }) =>
      `“${name}” was saved by ${by} as version ${version} while you were editing it. Your changes have not been saved.`,
  },
  onlyOwnerDeletes: {
    status: 403,
    message: ({ name }: { name: string }) =>
      `Only the owner and administrators can delete the group “${name}”. Ask its owner to delete it.`,
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
  shareForbidden: {
    status: 403,
    message: ({ email, access, own }: { email: string; access: GroupAccessMode; own: GroupAccessMode }) =>
      `Your access is ${own}, so you cannot give, change or remove the access ${access} of ${email}. Ask the owner of the group.`,
  },
  homeGroupStays: {
    status: 400,
    message: ({ name }: { name: string }) => `“${name}” is a home group. Home groups cannot be deleted.`,
  },
})

/** Errors of the trash. */
export const trashErrors = defineErrors({
  notInTrash: {
    status: 404,
    message: () =>
      'This object is not in the trash. It may have been restored or deleted permanently in the meantime.',
  },
  nameTaken: {
    status: 409,
    message: ({ name, isSymbol = false }: { name: string; isSymbol?: boolean }) =>
      isSymbol
        ? `The group already has a symbol “${name}”, which was uploaded or restored in the meantime. Restore the deleted symbol with another value, or remove the other symbol first.`
        : `The name “${name}” is already in use. Restore under another name.`,
    field: 'name',
  },
  isBeingRestored: {
    status: 409,
    message: () => 'The object is being restored. Wait until it has finished.',
  },
  notRestored: {
    status: 409,
    message: ({ reason }: { reason: string }) => `The object was not restored. ${reason}`,
  },
})
