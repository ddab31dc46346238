import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, parseHostPattern, type HostPattern } from '@headwater/contract'
import { createEgress, type Egress, type EgressResponse } from '@headwater/server-kit'
import { maxWheelBytes, WheelError } from './wheel-file.ts'
import { parseWheelName, type WheelName } from './wheel-name.ts'

/** A wheel that a source offers. */
export interface WheelOffer {
  /** File name as stated by the source. */
  fileName: string
  /** Parsed file name. */
  name: WheelName
  /** SHA-256 that the source states, in hexadecimal digits; undefined if it states none. */
  sha256: string | undefined
  /** Specifiers of the Python versions that it supports; empty if the source does not state them. */
  pythonSpecifiers: string
  /** Whether its authors withdrew it. Only an exact version can select it. */
  isYanked: boolean
  /** Returns the content. Throws a `WheelError` if it is too large or does not match the hash. */
  read(): Promise<Buffer>
}

/** A source of wheels. */
export interface WheelSource {
  /**
   * Returns the wheels of a package; empty if the source does not have it.
   * @param name normalised name
   */
  list(name: string): Promise<WheelOffer[]>
}

/** Creates a source for a folder of wheels. */
export function createFolderSource(folder: string): WheelSource {
  return {
    async list(name) {
      const fileNames = await readdir(folder).catch(() => {
        throw new WheelError('The folder of packages cannot be read.')
      })
      return fileNames.flatMap((fileName) => {
        const parsed = parseWheelName(fileName)
        if (parsed?.name !== name) return []
        const path = join(folder, fileName)
        const read = async () => {
          if ((await stat(path)).size > maxWheelBytes) throw tooLarge(fileName)
          return readFile(path)
        }
        return [{ fileName, name: parsed, sha256: undefined, pythonSpecifiers: '', isYanked: false, read }]
      })
    },
  }
}

/** Address of a package index (PEP 503). */
export interface IndexAddress {
  /** URL of the package list, such as `https://packages.example.com/simple`; can contain a user and password. */
  url: string
  /** Other origins that deliver the files of the index. */
  fileOrigins: readonly string[]
}

const maxPageBytes = 32 * 1024 * 1024
const maxRedirects = 5
const pageTimeoutMs = 30_000
const wheelTimeoutMs = 300_000
const accepted =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1'

/**
 * Creates a source for a package index. It connects only to the configured origins, even for redirects. Because they are
 * configured, they can be internal.
 */
export function createIndexSource(
  { url, fileOrigins }: IndexAddress,
  egressTo: (internalHosts: HostPattern[]) => Pick<Egress, 'request'> = (internalHosts) =>
    createEgress({ internalHosts }),
): WheelSource {
  const index = new URL(url.endsWith('/') ? url : `${url}/`)
  const credentials = index.username === '' ? undefined : `${index.username}:${index.password}`
  index.username = ''
  index.password = ''
  const origins = new Set([index.origin, ...fileOrigins])
  const egress = egressTo([...origins].flatMap(patternOf))

  /** Sends a request and follows redirects. The body can have at most `maxBytes`. */
  async function load(
    address: URL,
    { timeoutMs, maxBytes, what }: { timeoutMs: number; maxBytes: number; what: string },
  ): Promise<EgressResponse> {
    const signal = AbortSignal.timeout(timeoutMs)
    let target = address
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      if (!origins.has(target.origin))
        throw new WheelError(
          `The package index refers to ${target.origin}, which is not part of HEADWATER_PACKAGES.`,
        )
      const headers: Record<string, string> = { Accept: accepted }
      if (credentials !== undefined && target.origin === index.origin)
        headers.Authorization = `Basic ${Buffer.from(decodeURIComponent(credentials)).toString('base64')}`
      const response = await egress
        .request({
          url: target,
          headers,
          signal,
          timeoutMs,
          maxResponseBytes: maxBytes,
          returnsRedirects: true,
        })
        .catch((error: unknown) => {
          throw isTooLarge(error) ? tooLarge(what) : new WheelError('The package index cannot be reached.')
        })
      const { location } = response.headers
      if (response.status < 300 || response.status > 399 || location === undefined) return response
      response.body.destroy()
      const next = URL.parse(location, target.href)
      if (next === null) throw new WheelError('The package index redirects to an invalid address.')
      target = next
    }
    throw new WheelError('The package index redirects too many times.')
  }

  return {
    async list(name) {
      const page = new URL(`${name}/`, index)
      const what = 'The list of the package index'
      const response = await load(page, { timeoutMs: pageTimeoutMs, maxBytes: maxPageBytes, what })
      if (response.status === 404) {
        response.body.destroy()
        return []
      }
      requireSuccess(response)
      const text = (await readBody(response, what)).toString('utf8')
      const isJson = /json/.test(response.headers['content-type'] ?? '')
      const links = isJson ? linksOfJson(text) : linksOfHtml(text)
      return links.flatMap(({ fileName, href, ...link }) => {
        const parsed = parseWheelName(fileName)
        const address = URL.parse(href, response.url)
        if (parsed?.name !== name || address === null) return []
        const read = async () => {
          const limits = { timeoutMs: wheelTimeoutMs, maxBytes: maxWheelBytes, what: fileName }
          const wheel = await load(address, limits)
          requireSuccess(wheel)
          return readBody(wheel, fileName)
        }
        return [{ fileName, name: parsed, ...link, read }]
      })
    },
  }
}

/** Returns the host pattern for the host and port of an origin. */
function patternOf(origin: string): HostPattern[] {
  const { host, protocol, port } = new URL(origin)
  const pattern = parseHostPattern(port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host)
  return pattern === undefined ? [] : [pattern]
}

function requireSuccess({ status, body }: EgressResponse): void {
  if (status >= 200 && status < 300) return
  body.destroy()
  throw new WheelError(`The package index responded with the status ${status}.`)
}

function isTooLarge(error: unknown): boolean {
  return error instanceof AppError && error.code === 'egressTooLarge'
}

type Link = Pick<WheelOffer, 'fileName' | 'sha256' | 'pythonSpecifiers' | 'isYanked'> & { href: string }

function linksOfJson(text: string): Link[] {
  let files: unknown
  try {
    files = (JSON.parse(text) as { files?: unknown }).files
  } catch {
    throw new WheelError('The package index returned invalid JSON.')
  }
  if (!Array.isArray(files)) throw new WheelError('The package index returned no list of files.')
  return (files as Record<string, unknown>[]).flatMap((file) => {
    const { filename, url, hashes, yanked, 'requires-python': python } = file
    if (typeof filename !== 'string' || typeof url !== 'string') return []
    return [
      {
        fileName: filename,
        href: url,
        sha256: validHash((hashes as Record<string, unknown> | undefined)?.sha256),
        pythonSpecifiers: typeof python === 'string' ? python : '',
        isYanked: yanked !== undefined && yanked !== false,
      },
    ]
  })
}

function linksOfHtml(text: string): Link[] {
  return [...text.matchAll(/<a\s+([^>]*)>([^<]*)<\/a>/gi)].flatMap(([, attributes, label]) => {
    const value = (name: string) => {
      const match = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes!)
      return match && unescapeHtml(match[1] ?? match[2]!)
    }
    const href = value('href')
    if (href === null) return []
    return [
      {
        fileName: unescapeHtml(label!).trim(),
        href: href.replace(/#.*$/, ''),
        sha256: validHash(/#(?:.*&)?sha256=([0-9a-f]{64})/i.exec(href)?.[1]),
        pythonSpecifiers: value('data-requires-python') ?? '',
        isYanked: /(^|\s)data-yanked/i.test(attributes!),
      },
    ]
  })
}

function validHash(value: unknown): string | undefined {
  return typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value) ? value.toLowerCase() : undefined
}

function unescapeHtml(text: string): string {
  const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" }
  return text.replaceAll(/&(\w+|#\w+);/g, (whole, name: string) => named[name.toLowerCase()] ?? whole)
}

async function readBody({ body }: EgressResponse, what: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of body) chunks.push(chunk as Buffer)
  } catch (error) {
    throw isTooLarge(error)
      ? tooLarge(what)
      : new WheelError('The connection to the package index was interrupted.')
  }
  return Buffer.concat(chunks)
}

function tooLarge(what: string): WheelError {
  return new WheelError(`${what} is too large.`)
}

/** Returns the SHA-256 of a wheel in hexadecimal digits. */
export function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
