import { defineErrors } from '@headwater/contract'
import { namedGroups } from '@headwater/insights/contract'

/** Errors of shares and public views. */
export const publishingErrors = defineErrors({
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
})
