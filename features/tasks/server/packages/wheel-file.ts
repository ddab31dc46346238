import { createHash } from 'node:crypto'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ZipError } from '@headwater/tables'
import { packageName } from '../../contract/index.ts'
import { parseDependency, type Dependency } from './markers.ts'
import { compareVersions, parseVersion } from './versions.ts'
import { parseWheelName, type WheelName } from './wheel-name.ts'
import { readZip, type ZipEntry } from './zip-file.ts'

/** Maximum size of a wheel, in bytes. */
export const maxWheelBytes = 300 * 1024 * 1024
const maxFiles = 50_000
const maxUnpackedBytes = 1024 * 1024 * 1024
const maxMetadataBytes = 4 * 1024 * 1024
const fileTypeMask = 0o170000
const regularFile = 0o100000

/** A wheel that cannot be installed, with the reason for users. */
export class WheelError extends Error {}

/** A checked wheel. */
export interface Wheel {
  /** Its file name, parsed. */
  name: WheelName
  /** Declared dependencies. */
  dependencies: Dependency[]
  /** Specifiers of the Python versions that it supports; empty means all. */
  pythonSpecifiers: string
  /** Writes the modules into a folder and checks the hash of each file. */
  unpack(folder: string): Promise<void>
}

/**
 * Reads a wheel. Only the names and the metadata are checked; `unpack` checks the content.
 * @throws WheelError for a name that leaves the folder, a link, a `.pth` file, a missing hash list, or too much content
 */
export function readWheel(bytes: Buffer, fileName: string): Wheel {
  const name = parseWheelName(fileName)
  if (name === undefined) throw new WheelError(`${fileName} is not the name of a wheel.`)
  return explained(fileName, () => {
    const entries = readZip(bytes, maxFiles)
    checkEntries(entries)
    const info = findInfo(entries, name)
    const { dependencies, pythonSpecifiers } = parseMetadata(readText(entries, `${info}/METADATA`), name)
    const hashes = parseRecord(readText(entries, `${info}/RECORD`))
    return {
      name,
      dependencies,
      pythonSpecifiers,
      unpack: async (folder) => unpack(entries, { info, hashes, fileName, folder }),
    }
  })
}

function explained<T>(fileName: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ZipError) throw new WheelError(`${fileName} cannot be installed: ${error.message}.`)
    throw error
  }
}

/** Modules that every interpreter runs at startup if they are in its search path. */
const startupFiles = /^(sitecustomize|usercustomize)(\.|\/|$)/

function checkEntries(entries: readonly ZipEntry[]): void {
  const seen = new Set<string>()
  let sizeBytes = 0
  for (const { path, mode, sizeBytes: own } of entries) {
    const parts = path.split('/')
    const type = mode & fileTypeMask
    if (
      path.includes('\\') ||
      path.includes('\0') ||
      parts.some((part) => part === '' || part === '.' || part === '..')
    )
      throw new ZipError(`the name ${JSON.stringify(path)} leaves its folder`)
    if (parts.some((part) => Buffer.byteLength(part) > 255) || Buffer.byteLength(path) > 2000)
      throw new ZipError('a name is too long')
    if (type !== 0 && type !== regularFile) throw new ZipError(`${path} is a link or a special file`)
    if (/\.pth$/i.test(path)) throw new ZipError(`${path} would run code at every start of Python`)
    if (startupFiles.test(targetOf(path) ?? ''))
      throw new ZipError(`${path} would run code at every start of Python`)
    if (seen.has(path)) throw new ZipError(`${path} is contained twice`)
    seen.add(path)
    sizeBytes += own
  }
  if (sizeBytes > maxUnpackedBytes) throw new ZipError('it has more than 1 GiB of content')
}

/** Returns the `*.dist-info` folder of a wheel. */
function findInfo(entries: readonly ZipEntry[], { name, version }: WheelName): string {
  const folders = new Set(
    entries.map(({ path }) => path.split('/')[0]!).filter((top) => top.endsWith('.dist-info')),
  )
  const [folder, ...others] = folders
  const [ownName, ownVersion] = (folder ?? '').slice(0, -'.dist-info'.length).split('-')
  const parsed = parseVersion((ownVersion ?? '').replaceAll('_', '-'))
  const matches = parsed !== undefined && compareVersions(parsed, version) === 0
  if (folder === undefined || others.length > 0 || packageName(ownName ?? '') !== name || !matches)
    throw new ZipError('its folder .dist-info does not match its name')
  return folder
}

function readText(entries: readonly ZipEntry[], path: string): string {
  const entry = entries.find((each) => each.path === path)
  if (entry === undefined) throw new ZipError(`${path} is missing`)
  if (entry.sizeBytes > maxMetadataBytes) throw new ZipError(`${path} is too large`)
  return entry.read().toString('utf8')
}

/**
 * Parses the metadata of a package.
 * @throws ZipError if the metadata belongs to a different package
 */
function parseMetadata(
  text: string,
  { name, version }: Pick<WheelName, 'name' | 'version'>,
): { dependencies: Dependency[]; pythonSpecifiers: string } {
  const [header = ''] = text.split(/\r?\n\r?\n/)
  const fields = header.split(/\r?\n/).flatMap((line) => {
    const match = /^([\w-]+):\s*(.*)$/.exec(line)
    return match ? [[match[1]!.toLowerCase(), match[2]!.trim()] as const] : []
  })
  const first = (wanted: string) => fields.find(([field]) => field === wanted)?.[1] ?? ''
  const own = parseVersion(first('version'))
  if (packageName(first('name')) !== name || own === undefined || compareVersions(own, version) !== 0)
    throw new ZipError('its metadata names a different package')
  const lines = fields.filter(([field]) => field === 'requires-dist').map(([, value]) => value)
  const dependencies = lines.map((line) => {
    const dependency = parseDependency(line)
    if (dependency === undefined)
      throw new ZipError(`it depends on ${JSON.stringify(line)}, which is not a version`)
    return dependency
  })
  return { dependencies, pythonSpecifiers: first('requires-python') }
}

/** Returns the SHA-256 hashes in a `RECORD` file by path. */
function parseRecord(text: string): Map<string, string> {
  const hashes = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",]*)),sha256=([\w-]+),\d*$/.exec(line)
    if (match) hashes.set((match[1] ?? match[2]!).replaceAll('""', '"'), match[3]!)
  }
  return hashes
}

async function unpack(
  entries: readonly ZipEntry[],
  {
    info,
    hashes,
    fileName,
    folder,
  }: { info: string; hashes: Map<string, string>; fileName: string; folder: string },
): Promise<void> {
  const made = new Set<string>()
  for (const entry of entries) {
    const content = explained(fileName, () => entry.read())
    const isUnlisted =
      /^RECORD(\.jws|\.p7s)?$/.test(entry.path.slice(info.length + 1)) && entry.path.startsWith(`${info}/`)
    const hash = createHash('sha256').update(content).digest('base64url')
    if (!isUnlisted && hashes.get(entry.path) !== hash)
      throw new WheelError(`${fileName} cannot be installed: ${entry.path} does not match its hash.`)
    const target = targetOf(entry.path)
    if (target === undefined) continue
    const path = join(folder, target)
    await makeFolder(dirname(path), folder, made)
    // Two wheels can contain the same file, for example of a namespace package. The content of the first one is preserved.
    await writeFile(path, content, { flag: 'wx', mode: 0o644 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    await chmod(path, 0o644)
  }
}

/**
 * Returns the path at which a file is installed; undefined for programs, headers and other files that are not part of modules.
 */
function targetOf(path: string): string | undefined {
  const [top, scheme, ...rest] = path.split('/')
  if (!top!.endsWith('.data')) return path
  const isModule = (scheme === 'purelib' || scheme === 'platlib') && rest.length > 0
  return isModule ? rest.join('/') : undefined
}

/** Creates a folder that other users can read, regardless of the umask. */
async function makeFolder(path: string, root: string, made: Set<string>): Promise<void> {
  if (path === root || made.has(path)) return
  await makeFolder(dirname(path), root, made)
  await mkdir(path, { mode: 0o755 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await chmod(path, 0o755)
  made.add(path)
}
