import { cutText, defineErrors } from '@headwater/contract'

/** Errors of secrets. */
export const secretErrors = defineErrors({
  secretNotFound: {
    status: 404,
    message: ({ name, groupName }: { name: string; groupName?: string | undefined }) =>
      groupName === undefined
        ? `You have no secret “${cutText(name)}”. Check the name, or store the secret first.`
        : `The group “${groupName}” has no secret “${cutText(name)}”. Check the name, or ask a user with write access to the group to store it.`,
  },
  secretNameTaken: {
    status: 409,
    message: ({ name }: { name: string }) =>
      `A secret with the name “${cutText(name)}” already exists. Choose another name, or replace the value of that secret.`,
    field: 'name',
  },
  tooManySecrets: {
    status: 409,
    message: ({ max }: { max: number }) =>
      `A user and a group can have ${max} secrets each. Delete one that is no longer used.`,
  },
})
