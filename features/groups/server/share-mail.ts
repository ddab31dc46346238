import { linkParagraph, type Mail } from '@headwater/server-kit'
import { dataRangeText, type GroupAccessMode } from '../contract/index.ts'

/** Content of the e-mail about a share; the payload of its job. */
export interface ShareMail {
  /** E-mail address of the user. */
  to: string
  /** Name of the user who shares. */
  sharedBy: string
  /** Name of the group. */
  groupName: string
  /** Access of the user. */
  access: GroupAccessMode
  /** Range of the readable data, ISO times, the end excluded; null for all data. */
  range: { from: string | null; to: string | null } | null
  /** Text of the sharing user; can be empty. */
  message: string
  /** Path of the page to open. */
  path: string
}

const abilities: Record<GroupAccessMode, string> = {
  R: 'read its data',
  RW: 'read and change its data',
  RS: 'read its data and share it with others',
  RWS: 'read and change its data, and share it with others',
}

/**
 * Returns the e-mail about a share.
 * @param publicUrl URL of the installation; undefined: the e-mail contains only the path
 */
export function shareMail(
  { to, sharedBy, groupName, access, range, message, path }: ShareMail,
  publicUrl: string | undefined,
): Mail {
  const lines = [
    `${sharedBy} shared the group ${groupName} with you. You can ${range === null ? abilities[access] : `read its data ${dataRangeText({ dataStart: range.from, dataEnd: range.to })}`}.`,
    message === '' ? '' : `Message from ${sharedBy}:\n${message}`,
    linkParagraph(publicUrl, path, 'Open it:'),
  ]
  return {
    to,
    subject: `${sharedBy} shared ${groupName} with you`.slice(0, 250),
    text: lines.filter((line) => line !== '').join('\n\n'),
  }
}

/**
 * Returns the path of a URL of this installation; undefined for a URL of another host.
 * @param url a path, or a URL that starts with `publicUrl`
 */
export function ownPath(url: string, publicUrl: string | undefined): string | undefined {
  const base = publicUrl ?? 'http://this-installation.invalid'
  if (!URL.canParse(url, base)) return undefined
  const parsed = new URL(url, base)
  return parsed.origin === new URL(base).origin
    ? `${parsed.pathname}${parsed.search}${parsed.hash}`
    : undefined
}
