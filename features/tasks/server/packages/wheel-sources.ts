import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { maxWheelBytes, WheelError } from './wheel-file.ts'
import { parseWheelName, type WheelName } from './wheel-name.ts'

/** A wheel that a source offers. */
export interface WheelOffer {
  fileName: string
  /** Its file name, parsed. */
  name: WheelName
  /** SHA-256 that the source states, in hexadecimal digits. */
  sha256: string | undefined
  /** Specifiers of the Python versions that it supports; empty if the source does not state them. */
  pythonSpecifiers: string
  /** Whether its authors withdrew it; only an exact version selects it. */
  isYanked: boolean
  /** Returns its content. Throws a `WheelError` if it is too large or has another hash. */
  read(): Promise<Buffer>
}

/** Source of wheels. */
export interface WheelSource {
  /**
   * Returns the wheels of a package; empty if the source does not have it.
   * @param name normalised name
   */
  list(name: string): Promise<WheelOffer[]>
}

/** Creates the source for a folder of wheels. */
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
  /** URL of the list of packages, such as `https://packages.example.com/simple`; can contain user and password. */
  url: string
  /** Other origins from which the index delivers files. */
  fileOrigins: readonly string[]
}

const maxPageBytes = 32 * 1024 * 1024
const maxRedirects = 5
const pageTimeoutMs = 30_000
const wheelTimeoutMs = 300_000
const accepted =
  'application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html;q=0.2, text/html;q=0.1'

/** Creates the source for a package index. It connects to the origins of the address only, redirects included. */
export function createIndexSource({ url, fileOrigins }: IndexAddress): WheelSource {
  const index = new URL(url.endsWith('/') ? url : `${url}/`)
  const credentials = index.username === '' ? undefined : `${index.username}:${index.password}`
  index.username = ''
  index.password = ''
  const origins = new Set([index.origin, ...fileOrigins])

  async function load(address: URL, timeoutMs: number): Promise<Response> {
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
      const response = await fetch(target, { redirect: 'manual', signal, headers }).catch(() => {
        throw new WheelError('The package index cannot be reached.')
      })
      const location = response.headers.get('location')
      if (response.status < 300 || response.status > 399 || location === null) return response
      await response.body?.cancel()
      target = new URL(location, target)
    }
    throw new WheelError('The package index redirects too often.')
  }

  return {
    async list(name) {
      const page = new URL(`${name}/`, index)
      const response = await load(page, pageTimeoutMs)
      if (response.status === 404) {
        await response.body?.cancel()
        return []
      }
      if (!response.ok)
        throw new WheelError(`The package index responded with the status ${response.status}.`)
      const text = (await readBody(response, maxPageBytes, 'The list of the package index')).toString('utf8')
      const isJson = /json/.test(response.headers.get('content-type') ?? '')
      const links = isJson ? linksOfJson(text) : linksOfHtml(text)
      return links.flatMap(({ fileName, href, ...link }) => {
        const parsed = parseWheelName(fileName)
        const address = URL.parse(href, response.url || page.href)
        if (parsed?.name !== name || address === null) return []
        const read = async () => {
          const wheel = await load(address, wheelTimeoutMs)
          if (!wheel.ok) throw new WheelError(`The package index responded with the status ${wheel.status}.`)
          return readBody(wheel, maxWheelBytes, fileName)
        }
        return [{ fileName, name: parsed, ...link, read }]
      })
    },
  }
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

async function readBody(response: Response, maxBytes: number, what: string): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      sizeBytes += chunk.length
      if (sizeBytes > maxBytes) throw tooLarge(what)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof WheelError) throw error
    throw new WheelError('The connection to the package index was interrupted.')
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
