import { fileErrors } from '../contract/index.ts'

/** The value of Content-Disposition that lets a browser save content under a name, whatever characters it has. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9 ._()-]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A part of content, both ends included. */
export interface ContentRange {
  start: number
  end: number
}

/**
 * Reads a Range header for content of a size. Undefined without a header, and for what need not be understood: several
 * ranges, other units, nonsense; then the whole content is the answer.
 * @throws rangeOutside when nothing of the range is there
 */
export function parseRange(header: string | undefined, sizeBytes: number): ContentRange | undefined {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return undefined
  const start = from === '' ? Math.max(sizeBytes - Number(to), 0) : Number(from)
  const end = from === '' || to === '' ? sizeBytes - 1 : Math.min(Number(to), sizeBytes - 1)
  if (from !== '' && to !== '' && Number(to) < start) return undefined
  if (start >= sizeBytes || end < start) throw fileErrors.rangeOutside({ sizeBytes })
  return { start, end }
}

/**
 * The SHA-256 that the sender announced, in lower-case hexadecimal; undefined when there is none. Understood are
 * `Content-Digest: sha-256=:<base64>:` (RFC 9530) and `X-Content-SHA256` with hexadecimal or base64.
 * @throws digestNotValid for headers that cannot be read
 */
export function announcedHash(headers: Record<string, string | string[] | undefined>): string | undefined {
  const digest = headers['content-digest']
  const plain = headers['x-content-sha256']
  if (digest !== undefined) {
    const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/i.exec(String(digest)) ?? []
    // Another algorithm alone is nothing to complain of: the receiver may choose among those it knows.
    if (base64 !== undefined) return hexOf(base64)
    if (!/^\s*[a-z0-9-]+=:[A-Za-z0-9+/=]+:/i.test(String(digest))) throw fileErrors.digestNotValid()
  }
  if (plain === undefined) return undefined
  const text = String(plain).trim()
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : hexOf(text)
}

function hexOf(base64: string): string {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length !== 32) throw fileErrors.digestNotValid()
  return bytes.toString('hex')
}
