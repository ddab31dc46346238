import { defineErrors, formatSizeInText } from '@headwater/contract'
import { namedGroups } from './named-groups.ts'

/** Errors of insights. */
export const insightErrors = defineErrors({
  insightNotFound: {
    status: 404,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is no insight “${name}” in the group “${group}”. It may have been deleted, moved or renamed.`,
  },
  insightGone: {
    status: 404,
    message: () =>
      'You cannot read this insight. It may have been deleted, or the share that gave you access may have ended.',
  },
  insightExists: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” already has an insight “${name}”. Choose another name.`,
    field: 'name',
  },
  fileInTheWay: {
    status: 400,
    message: ({ name, group }: { name: string; group: string }) =>
      `The group “${group}” already has another file “${name}.json”. Choose another name.`,
    field: 'name',
  },
  insightChanged: {
    status: 409,
    message: ({ name, owner }: { name: string; owner: string }) =>
      `“${name}” was saved by ${owner} while you were editing it. Your changes have not been saved.`,
  },
  insightDamaged: {
    status: 422,
    message: ({ name, problem }: { name: string; problem: string }) =>
      `The definition of “${name}” cannot be read: ${problem} Its file is still in the data lake; open an older version or upload a repaired one.`,
  },
  versionNotFound: {
    status: 404,
    message: ({ name, version }: { name: string; version: number }) =>
      `“${name}” has no version ${version}. Check the list of its versions.`,
  },
  insightTooLarge: {
    status: 400,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `The definition of an insight can be at most ${formatSizeInText(limitBytes)}. Move long texts into files.`,
  },
  insightNotEditable: {
    status: 403,
    message: ({ kind }: { kind: 'visualisations' | 'workflows' }) =>
      `You can read insights but not create or change ${kind}. Ask an administrator for permission.`,
  },
  selfActivationNotValid: {
    status: 400,
    message: () =>
      'is_self_activation_required must be true or false, and self_activation_tiles must be a whole number from 0 to 4.',
    field: 'fields',
  },
  notPublic: {
    status: 400,
    message: ({ name }: { name: string }) => `“${name}” is not public. Publish it first.`,
  },
  saveWouldPublish: {
    status: 403,
    message: ({ name, groups }: { name: string; groups: readonly string[] }) =>
      `“${name}” is public, so saving it publishes its data. You cannot publish ${namedGroups(groups)} because you lack RWS access. Ask the owners for access, remove this data, or unpublish the insight.`,
  },
  logoNotFound: { status: 404, message: () => 'This insight has no logo.' },
  logoNotValid: {
    status: 400,
    message: () => 'A logo must be a PNG or JPEG image. Choose another file.',
    field: 'image',
  },
  logoTooLarge: {
    status: 400,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `A logo can be at most ${formatSizeInText(limitBytes)}. Choose a smaller image.`,
    field: 'image',
  },
  templateNotFound: { status: 404, message: () => 'Insight template not found' },
  templateExists: {
    status: 409,
    message: ({ name, group, owner }: { name: string; group: string; owner: string }) =>
      `The group “${group}” already has a template “${name}”, saved by ${owner}. Choose another name, or replace its latest version.`,
    field: 'name',
  },
  templateDamaged: {
    status: 422,
    message: ({ name, problem }: { name: string; problem: string }) =>
      `The template “${name}” cannot be read: ${problem}`,
  },
})
