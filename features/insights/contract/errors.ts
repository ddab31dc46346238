import { defineErrors } from '@headwater/contract'

function namedGroups(names: readonly string[]): string {
  return `${names.length === 1 ? 'the group' : 'the groups'} ${names.map((name) => `“${name}”`).join(', ')}`
}

/** Errors of insights. */
export const insightErrors = defineErrors({
  insightNotFound: {
    status: 404,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is no insight “${name}” in the group “${group}”. It may have been deleted, moved or renamed.`,
  },
  insightGone: {
    status: 404,
    message: ({ id }: { id: string }) =>
      `There is no insight ${id} that you can read. It may have been deleted.`,
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
      `“${name}” has no version ${version}. Look at the list of its versions.`,
  },
  insightTooLarge: {
    status: 400,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `The definition of an insight has at most ${limitBytes} bytes. Move long texts into files.`,
  },
  mayNotEdit: {
    status: 403,
    message: ({ kind }: { kind: 'visualisations' | 'workflows' }) =>
      `You can read insights but not create or change ${kind}. Ask an administrator for permission.`,
  },
  usersNotFound: {
    status: 400,
    message: ({ emails }: { emails: string }) =>
      `There is no active user ${emails}. Only people with an account can be shared with; make a public link for others.`,
    field: 'shares',
  },
  usersNotActivated: {
    status: 400,
    message: ({ emails }: { emails: string }) =>
      `${emails} cannot be shared with yet: an invited user first has to choose a password, by the link in the invitation.`,
    field: 'shares',
  },
  sharingOff: {
    status: 403,
    message: () => 'Sharing is switched off here. Ask an administrator.',
  },
  selfActivationNotValid: {
    status: 400,
    message: () =>
      'is_self_activation_required is true or false, and self_activation_tiles a whole number from 0 to 4.',
    field: 'fields',
  },
  expirationPast: {
    status: 400,
    message: () => 'This date has passed. Choose a later one, or none.',
    field: 'expirationDate',
  },
  expirationTooLate: {
    status: 400,
    message: () =>
      'A public link expires in the year 9999 at the latest, in UTC. Choose an earlier date, or none.',
    field: 'expirationDate',
  },
  notPublic: {
    status: 400,
    message: ({ name }: { name: string }) => `“${name}” is not public. Make it public first.`,
  },
  tooManyPublicLinks: {
    status: 400,
    message: ({ max }: { max: number }) =>
      `An insight has at most ${max} links with choices. End one that is no longer needed, then create this one.`,
  },
  notPublisher: {
    status: 403,
    message: ({ name, publisher }: { name: string; publisher: string }) =>
      `“${name}” is public with the access of ${publisher}. Only they can change what visitors set and see who visited. Make it public yourself first.`,
  },
  publishingNotAllowed: {
    status: 403,
    message: ({ name, groups }: { name: string; groups: readonly string[] }) =>
      `“${name}” cannot be public: it shows ${namedGroups(groups)}, which you may not share. Only users with the access RWS on every group that an insight shows can publish it. Ask the owners for this access, or remove what shows these groups.`,
  },
  saveWouldPublish: {
    status: 403,
    message: ({ name, groups }: { name: string; groups: readonly string[] }) =>
      `“${name}” is public, so this save would publish ${namedGroups(groups)}, which you may not share. Only users with the access RWS on a group can publish its data. Ask the owners for this access, remove what shows these groups, or end the public view first.`,
  },
  publicViewNotFound: {
    status: 404,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is no public view “${name}” that shows the group “${group}”. It may have ended; load the list again.`,
  },
  publicInsightNotFound: {
    status: 404,
    message: () => 'There is no public insight at this address. Ask who gave you the link.',
  },
  publicViewEnded: {
    status: 410,
    message: ({ ended }: { ended: string }) =>
      `The public view of this insight ended on ${ended} (UTC). Ask who gave you the link to open it again.`,
  },
  linkTampered: {
    status: 400,
    message: () =>
      'This link is incomplete or out of date. Open the full link that you received, or ask for a new one.',
  },
  questionNotInInsight: {
    status: 403,
    message: ({ what }: { what: string }) => `This public insight does not show ${what}.`,
  },
  publicVersionGone: {
    status: 409,
    message: () => 'This public insight was saved again. Load the page again.',
  },
  publicDataGone: {
    status: 404,
    message: () => 'The data of this tile no longer exists.',
  },
  publicFileGone: {
    status: 404,
    message: () => 'The file of this tile is not available at the moment.',
  },
  formNotAsked: {
    status: 400,
    message: () => 'This public insight has no form; all of its tiles are visible. Open it without the form.',
  },
  tooManyRequests: {
    status: 429,
    message: ({ waitSeconds }: { waitSeconds: number }) =>
      `There were too many requests from your address. Wait ${waitSeconds} seconds and try again.`,
  },
  publicViewsBusy: {
    status: 503,
    message: ({ waitSeconds }: { waitSeconds: number }) =>
      `Too many visitors are loading data of public insights at the moment. Wait ${waitSeconds} seconds and try again.`,
  },
  logoNotFound: { status: 404, message: () => 'This insight has no logo.' },
  logoNotValid: {
    status: 400,
    message: () => 'A logo is a PNG or JPEG picture. Choose another file.',
    field: 'image',
  },
  logoTooLarge: {
    status: 400,
    message: ({ limitBytes }: { limitBytes: number }) =>
      `A logo has at most ${limitBytes} bytes. Choose a smaller picture.`,
    field: 'image',
  },
  templateNotFound: { status: 404, message: () => 'Insight template not found' },
  templateExists: {
    status: 409,
    message: ({ name, group, owner }: { name: string; group: string; owner: string }) =>
      `The group “${group}” already has a template “${name}”, saved by ${owner}. Choose another name, or replace its newest version.`,
    field: 'name',
  },
  templateDamaged: {
    status: 422,
    message: ({ name, problem }: { name: string; problem: string }) =>
      `The template “${name}” cannot be read: ${problem}`,
  },
})
