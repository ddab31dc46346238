import { defineErrors } from '@headwater/contract'
import { namedGroups } from '@headwater/insights/contract'

/** Codes in the HTTP API of errors that have other names here. */
export const publicErrorCodes = {
  /** The requested data is not part of the public insight. */
  notInInsight: 'questionNotInInsight',
  /** The insight has no form. */
  noForm: 'formNotAsked',
} as const

/** Errors of shares and public views. */
export const publishingErrors = defineErrors({
  expirationPast: {
    status: 400,
    message: () => 'This date is in the past. Choose a later date, or none.',
    field: 'expirationDate',
  },
  expirationTooLate: {
    status: 400,
    message: () => 'The latest date is 9999-12-31 in UTC. Choose an earlier date, or none.',
    field: 'expirationDate',
  },
  tooManyPublicLinks: {
    status: 400,
    message: ({ max }: { max: number }) =>
      `An insight can have at most ${max} links with parameters. Revoke a link that you no longer need, then try again.`,
  },
  notPublisher: {
    status: 403,
    message: ({ name, publisher }: { name: string; publisher: string }) =>
      `“${name}” is public with the access of ${publisher}. Only they can manage its links and see its visitors. To do this yourself, publish the insight again.`,
  },
  publishingNotAllowed: {
    status: 403,
    message: ({ name, groups }: { name: string; groups: readonly string[] }) =>
      `“${name}” cannot be public: it shows ${namedGroups(groups)}, which you cannot share. Publishing needs RWS access to every group that an insight shows. Ask the owners for this access, or remove the data of these groups.`,
  },
  publicViewNotFound: {
    status: 404,
    message: ({ name, group }: { name: string; group: string }) =>
      `There is no public view “${name}” that shows the group “${group}”. It may have expired. Reload the list.`,
  },
  publicInsightNotFound: {
    status: 404,
    message: () => 'There is no public insight at this address. Ask the person who sent you the link.',
  },
  publicViewEnded: {
    status: 410,
    message: ({ ended }: { ended: string }) =>
      `The public view of this insight expired on ${ended} (UTC). Ask the person who sent you the link to publish it again.`,
  },
  linkTampered: {
    status: 400,
    message: () =>
      'This link is incomplete or out of date. Open the full link that you received, or request a new link.',
  },
  [publicErrorCodes.notInInsight]: {
    status: 403,
    message: (rejected: { what: string } | { value: string }) =>
      'value' in rejected
        ? `This link does not allow this ${rejected.value}. Choose another one.`
        : `This public insight does not show ${rejected.what}.`,
  },
  publicVersionGone: {
    status: 409,
    message: () => 'There is a newer version of this public insight. Reload the page.',
  },
  publicDataGone: {
    status: 404,
    message: () => 'The data of this tile no longer exists.',
  },
  publicFileGone: {
    status: 404,
    message: () => 'The file of this tile is currently not available.',
  },
  [publicErrorCodes.noForm]: {
    status: 400,
    message: () => 'This public insight has no form. All its tiles are visible without one.',
  },
  tooManyRequests: {
    status: 429,
    message: ({ waitSeconds }: { waitSeconds: number }) =>
      `Your address sent too many requests. Wait ${waitSeconds} seconds and try again.`,
  },
  publicViewsBusy: {
    status: 503,
    message: ({ waitSeconds }: { waitSeconds: number }) =>
      `Too many visitors are currently loading data of public insights. Wait ${waitSeconds} seconds and try again.`,
  },
})
