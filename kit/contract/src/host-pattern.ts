import { z } from 'zod'

/** A host that connections can reach, such as `api.example.com`, `*.example.com`, `db.example.com:5432` or `[2001:db8::1]:443`. */
export interface HostPattern {
  /** Host name or IP address in lower case, as in URLs but without the brackets of IPv6 addresses. */
  host: string
  /** Whether only subdomains of `host` match (`*.example.com`). */
  subdomains: boolean
  /** Port; undefined if the pattern has none. */
  port: number | undefined
}

const lastPort = 65_535
const patternText = /^(\*\.)?(\[[^\]]+\]|[^:[\]/?#@\s*]+)(?::(\d{1,5}))?$/

/** Parses a host with an optional port. Returns undefined if the text is not a host. */
export function parseHostPattern(text: string): HostPattern | undefined {
  const [, wildcard, given = '', portText] = patternText.exec(text.trim()) ?? []
  const host = canonicalHost(given)
  const port = portText === undefined ? undefined : Number(portText)
  const isPort = port === undefined || (port >= 1 && port <= lastPort)
  if (host === undefined || !isPort) return undefined
  const subdomains = wildcard !== undefined
  if (subdomains && (isAddress(host) || !host.includes('.'))) return undefined
  return { host, subdomains, port }
}

/**
 * Returns the canonical form of a host, for comparisons: lower case, punycode, IPv4 addresses as four decimal numbers (even
 * if the text is `0x7f.1` or `2130706433`), IPv6 addresses without brackets. Returns undefined if the text is not a host.
 */
export function canonicalHost(host: string): string | undefined {
  const bracketed = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  if (bracketed === '' || /[/?#@\\\s]/.test(bracketed)) return undefined
  const url = URL.parse(`http://${bracketed}/`)
  if (url === null || url.port !== '' || url.hostname === '') return undefined
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') || undefined
}

/**
 * Returns whether a pattern matches a host and port.
 * @param host in its canonical form
 * @param defaultPorts ports that a pattern without a port matches; default all
 */
export function matchesHost(
  pattern: HostPattern,
  { host, port }: { host: string; port: number },
  defaultPorts?: readonly number[],
): boolean {
  const isHost = pattern.subdomains ? host.endsWith(`.${pattern.host}`) : host === pattern.host
  if (!isHost) return false
  if (pattern.port !== undefined) return port === pattern.port
  return defaultPorts === undefined || defaultPorts.includes(port)
}

/** Writes a pattern in its canonical form. */
export function formatHostPattern({ host, subdomains, port }: HostPattern): string {
  const name = host.includes(':') ? `[${host}]` : host
  return `${subdomains ? '*.' : ''}${name}${port === undefined ? '' : `:${port}`}`
}

/** Schema of a host with an optional port. Returns its canonical form. */
export const hostPattern = z
  .string()
  .max(300)
  .transform((text, context) => {
    const pattern = parseHostPattern(text)
    if (pattern !== undefined) return formatHostPattern(pattern)
    context.addIssue({
      code: 'custom',
      message: `“${text.slice(0, 100)}” is not a host. Use a name or an address such as api.example.com, *.example.com or 203.0.113.7:8443.`,
    })
    return z.NEVER
  })

function isAddress(host: string): boolean {
  return host.includes(':') || /^\d+(\.\d+){3}$/.test(host)
}
