import { fileErrors } from '../contract/index.ts'

/** Returns the Content-Disposition header that saves content under a name with any characters. */
export function attachment(fileName: string): string {
  const plain = fileName.replace(/[^A-Za-z0-9 ._()-]/g, '_')
  const encoded = encodeURIComponent(fileName).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}

/** A range of content; both ends are inclusive. */
export interface ContentRange {
  /** First byte. */
  start: number
  /** Last byte, inclusive. */
  end: number
}

/**
 * Parses a Range header. Returns undefined (the whole content) without a header, and for unsupported headers: several
 * ranges, other units, invalid syntax.
 * @throws rangeOutside if the content has no bytes in the range
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
 * Returns the announced SHA-256 in lower-case hexadecimal; undefined without one. Supports
 * `Content-Digest: sha-256=:<base64>:` (RFC 9530) and `X-Content-SHA256` with hexadecimal or base64.
 * @throws digestNotValid for invalid headers
 */
export function announcedHash(headers: Record<string, string | string[] | undefined>): string | undefined {
  const digest = headers['content-digest']
  const plain = headers['x-content-sha256']
  if (digest !== undefined) {
    const [, base64] = /(?:^|,)\s*sha-256=:([A-Za-z0-9+/=]+):/i.exec(String(digest)) ?? []
    // Other algorithms are ignored, as RFC 9530 allows.
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
