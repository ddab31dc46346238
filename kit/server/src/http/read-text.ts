import { AppError } from '@headwater/contract'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes a body; throws invalidText when it is not UTF-8. */
export function readUtf8(body: Buffer): string {
  try {
    return utf8.decode(body)
  } catch {
    throw new AppError('invalidText', 400, 'The body is not valid UTF-8. Send text in UTF-8.')
  }
}

/** Returns whether a text is JSON, with any names of members. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the error for JSON with a member that reaches for a prototype. */
export function reservedName(): AppError {
  return new AppError(
    'reservedName',
    400,
    'The body has a member called __proto__, or constructor with a prototype, which is not allowed here. Remove it.',
  )
}

/** Returns the error for a body without a JSON content type where JSON is required. */
export function contentTypeNotKnown(): AppError {
  return new AppError(
    'contentTypeNotKnown',
    415,
    'The body must be JSON. Send it with the header Content-Type: application/json.',
  )
}

/** Rejects a content type that declares another encoding than UTF-8. */
export function requireUtf8(contentType: string): void {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType) ?? []
  if (['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase())) return
  throw new AppError(
    'charsetNotKnown',
    415,
    `JSON must be in UTF-8, not in ${charset.slice(0, 40)}. Send it in UTF-8.`,
  )
}

/** Rejects parsed JSON with a malformed text or key, which only a lone escape such as \ud800 can produce. */
export function requireWellFormed(json: string, parsed: unknown): void {
  if (!/\\u[dD][89a-fA-F]/.test(json)) return
  const left = [parsed]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string') {
      if (!value.isWellFormed())
        throw new AppError(
          'invalidText',
          400,
          'The body contains an unpaired surrogate, which is invalid Unicode. Remove it.',
        )
    } else if (typeof value === 'object' && value !== null) {
      if (!Array.isArray(value)) for (const key of Object.keys(value)) left.push(key)
      for (const item of Object.values(value)) left.push(item)
    }
  }
}
