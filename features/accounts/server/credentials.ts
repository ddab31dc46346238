/** Credentials of an Authorization header. */
export type Credentials =
  | { kind: 'token'; token: string }
  | { kind: 'api-key'; key: string }
  | { kind: 'password'; userName: string; password: string }

/** First characters of every API key, which distinguish keys from tokens. */
export const apiKeyPrefix = 'NG_'

/**
 * Parses an Authorization header: `Bearer <token>`, `ApiKey <key>` or `Basic <base64>`, the scheme regardless of case.
 * Also accepts a key that begins with `NG_` under Bearer, because older clients send it so.
 * @returns undefined for any other header
 */
export function parseCredentials(header: string): Credentials | undefined {
  const match = /^([A-Za-z]+) +(\S+)$/.exec(header.trim())
  if (match === null) return undefined
  const [, scheme = '', value = ''] = match
  switch (scheme.toLowerCase()) {
    case 'bearer':
      return value.startsWith(apiKeyPrefix)
        ? { kind: 'api-key', key: value }
        : { kind: 'token', token: value }
    case 'apikey':
      return { kind: 'api-key', key: value }
    case 'basic':
      return parseBasic(value)
    default:
      return undefined
  }
}

function parseBasic(base64: string): Credentials | undefined {
  const text = Buffer.from(base64, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  return { kind: 'password', userName: text.slice(0, colon), password: text.slice(colon + 1) }
}
