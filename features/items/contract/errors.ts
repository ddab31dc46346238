import { defineErrors, type AppError } from '@headwater/contract'

/** Names for the errors of a kind of items. */
export interface ItemErrorNames {
  /** Name of an item in messages, for example `task`. */
  noun: string
  /** Stable codes of the errors. */
  codes: Record<keyof ItemErrors, string>
  /** Field of requests that names the group. */
  groupField: string
}

/** Errors that every kind of items has. */
export interface ItemErrors {
  /** The item does not exist, or the caller cannot read its group. */
  notFound: (details: { what: string }) => AppError
  /** The group already has an item with this name. */
  exists: (details: { name: string; group: string }) => AppError
  /** The target group does not exist, or the caller cannot read it. */
  groupNotFound: (details: { group: string }) => AppError
  /** The caller cannot write to the group. */
  groupForbidden: (details: { group: string }) => AppError
  /** A version exists that is newer than the edited one. */
  changed: (details: { name: string; by: string; version: number }) => AppError
}

/** Creates the errors of a kind of items. All kinds have the same messages. */
export function defineItemErrors({ noun, codes, groupField }: ItemErrorNames): ItemErrors {
  const errors = defineErrors({
    [codes.notFound]: {
      status: 404,
      message: ({ what }: { what: string }) =>
        `There is no ${noun} ${what} that you can read. It may have been deleted, moved or renamed.`,
    },
    [codes.exists]: {
      status: 400,
      message: ({ name, group }: { name: string; group: string }) =>
        `The group “${group}” already has a ${noun} “${name}”. Choose another name.`,
      field: 'name',
    },
    [codes.groupNotFound]: {
      status: 400,
      message: ({ group }: { group: string }) =>
        `There is no group “${group}” that you can use. Choose another one, or ask its owner for access.`,
      field: groupField,
    },
    [codes.groupForbidden]: {
      status: 403,
      message: ({ group }: { group: string }) =>
        `You can read the group “${group}” but not change its contents. Choose another group, or ask its owner for access.`,
      field: groupField,
    },
    [codes.changed]: {
      status: 409,
      message: ({ name, by, version }: { name: string; by: string; version: number }) =>
        `“${name}” was saved by ${by} as version ${version} while you were editing it. Your changes have not been saved.`,
    },
  })
  const roles = Object.entries(codes).map(([role, code]) => [role, errors[code]])
  return Object.fromEntries(roles) as ItemErrors
}
