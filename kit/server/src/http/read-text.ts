import { httpErrors } from './http-errors.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body; throws `invalidText` when it is not UTF-8. */
export function readUtf8(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw httpErrors.invalidText()
  }
}

/** Rejects a content type that declares an encoding other than UTF-8. */
export function requireUtf8(contentType: string): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? []
  if (!['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase()))
    throw httpErrors.charsetNotKnown({ charset })
}

/**
 * Rejects parsed JSON in which a string or key contains an unpaired surrogate. Only a lone escape such as \ud800 can
 * produce one.
 */
export function requireWellFormed(json: string, parsed: unknown): void {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return
  const left = [parsed]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') {
      if (!value.isWellFormed()) throw httpErrors.invalidText()
    } else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) for (const key of Object.keys(value)) left.push(key)
      for (const item of Object.values(value)) left.push(item)
    }
  }
}
