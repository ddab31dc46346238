import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateRawSync } from 'node:zlib'

/** A file in a test archive. */
export interface ArchiveFile {
  path: string
  content: string | Buffer
  /** Unix type and permissions. Default: a regular file. */
  mode?: number
  /** Size that the archive states. Default: the size of the content. */
  statedBytes?: number
}

/** Returns a zip archive. */
export function zipOf(files: readonly ArchiveFile[]): Buffer {
  const parts: Buffer[] = []
  const list: Buffer[] = []
  let offset = 0
  for (const { path, content, mode = 0o100644, statedBytes } of files) {
    const name = Buffer.from(path)
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(crc32(bytes), 10)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(statedBytes ?? bytes.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('504b0304', 'hex'), common, name, packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(mode * 0x10000, 6)
    tail.writeUInt32LE(offset, 10)
    list.push(Buffer.from('504b01021403', 'hex'), common, tail, name)
    parts.push(local)
    offset += local.length
  }
  const entries = Buffer.concat(list)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(files.length, 8)
  end.writeUInt16LE(files.length, 10)
  end.writeUInt32LE(entries.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, entries, end])
}

/** A wheel for tests. */
export interface TestWheel {
  name: string
  version: string
  /** Modules by path. Default: a module with the name of the package that contains its version. */
  modules?: Record<string, string>
  /** `Requires-Dist` lines. */
  requires?: string[]
  /** `Requires-Python` specifiers. */
  python?: string
  /** Compatibility tag. Default `py3-none-any`. */
  tag?: string
  /** Additional files without a line in `RECORD`. */
  extra?: ArchiveFile[]
}

/** Returns the file name and content of a wheel. */
export function wheelOf({
  name,
  version,
  requires = [],
  python,
  tag = 'py3-none-any',
  extra = [],
  ...more
}: TestWheel): {
  fileName: string
  content: Buffer
} {
  const base = `${name.replaceAll('-', '_')}-${version}`
  const modules = more.modules ?? { [`${name.replaceAll('-', '_')}/__init__.py`]: `version = "${version}"\n` }
  const metadata = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    ...(python === undefined ? [] : [`Requires-Python: ${python}`]),
    ...requires.map((line) => `Requires-Dist: ${line}`),
    '',
    'A package of a test.',
  ]
  const files: ArchiveFile[] = [
    ...Object.entries(modules).map(([path, content]) => ({ path, content })),
    { path: `${base}.dist-info/METADATA`, content: metadata.join('\n') },
    { path: `${base}.dist-info/WHEEL`, content: `Wheel-Version: 1.0\nTag: ${tag}\n` },
  ]
  const record = files.map(({ path, content }) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${hash},${content.length}`
  })
  const recordFile = { path: `${base}.dist-info/RECORD`, content: `${record.join('\n')}\n` }
  return { fileName: `${base}-${tag}.whl`, content: zipOf([...files, recordFile, ...extra]) }
}

/** A package index (PEP 503) for tests, on this machine. */
export interface TestIndex {
  /** URL of the package list. */
  url: string
  /** Paths and `Authorization` headers of received requests. */
  requests: { path: string; authorization: string | undefined }[]
  /** Replaces the page of a package. */
  setPage(name: string, html: string): void
  /** Replaces a file. */
  setFile(fileName: string, content: Buffer): void
  /** Stops the server. */
  close(): Promise<void>
}

/** Starts a package index with the given wheels. */
export async function startIndex(
  wheels: readonly TestWheel[],
  format: 'html' | 'json' = 'html',
): Promise<TestIndex> {
  const pages = new Map<string, string>()
  const files = new Map<string, Buffer>()
  const requests: TestIndex['requests'] = []
  const links = new Map<string, { fileName: string; sha256: string; python: string | undefined }[]>()
  for (const wheel of wheels) {
    const { fileName, content } = wheelOf(wheel)
    const sha256 = createHash('sha256').update(content).digest('hex')
    files.set(fileName, content)
    links.set(wheel.name, [...(links.get(wheel.name) ?? []), { fileName, sha256, python: wheel.python }])
  }
  for (const [name, all] of links) pages.set(name, format === 'html' ? htmlOf(all) : jsonOf(all))

  const server = createServer((request: IncomingMessage, response) => {
    const path = request.url!
    requests.push({ path, authorization: request.headers.authorization })
    const page = pages.get(/^\/simple\/([^/]+)\/$/.exec(path)?.[1] ?? '')
    const file = files.get(/^\/files\/([^/]+)$/.exec(path)?.[1] ?? '')
    const type = format === 'html' ? 'text/html' : 'application/vnd.pypi.simple.v1+json'
    if (page !== undefined) response.writeHead(200, { 'Content-Type': type }).end(page)
    else if (file !== undefined) response.writeHead(200).end(file)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/`,
    requests,
    setPage: (name, html) => pages.set(name, html),
    setFile: (fileName, content) => files.set(fileName, content),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Links = readonly { fileName: string; sha256: string; python: string | undefined }[]

function htmlOf(links: Links): string {
  const lines = links.map(({ fileName, sha256, python }) => {
    const limit = python === undefined ? '' : ` data-requires-python="${python.replaceAll('>', '&gt;')}"`
    return `<a href="../../files/${fileName}#sha256=${sha256}"${limit}>${fileName}</a><br/>`
  })
  return `<!DOCTYPE html><html><body>\n${lines.join('\n')}\n</body></html>`
}

function jsonOf(links: Links): string {
  const files = links.map(({ fileName, sha256, python }) => ({
    filename: fileName,
    url: `/files/${fileName}`,
    hashes: { sha256 },
    'requires-python': python,
  }))
  return JSON.stringify({ meta: { 'api-version': '1.1' }, files })
}
