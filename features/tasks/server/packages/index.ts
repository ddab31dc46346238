import type { Sandbox, SandboxAvailability } from '@headwater/sandbox'
import type { StepPackages } from '@headwater/runs/contract'
import type { PackageSettings } from '@headwater/server-kit'
import { packageName, type LockedPackage, type Requirement } from '../../contract/index.ts'
import { importedBasePackages } from './base-packages.ts'
import { findCacheFolder } from './cache-folder.ts'
import { compileModules } from './compile-modules.ts'
import { createEnvironments, wheelsFolderOf } from './environments.ts'
import { readInterpreter, readSystemPackages } from './interpreter.ts'
import { resolvePackages, UnavailableError, unavailableMessage } from './resolve-packages.ts'
import { compareVersions, parseVersion } from './versions.ts'
import { createWheelCache } from './wheel-cache.ts'
import { readWheel, WheelError } from './wheel-file.ts'
import { createFolderSource, createIndexSource, type WheelOffer, type WheelSource } from './wheel-sources.ts'

export { missingPackage } from './base-packages.ts'
export { unavailableMessage } from './resolve-packages.ts'

/** Options that make packages available to a run. */
export interface ProvidedPackages {
  /** Folder with the installed packages; undefined if there are none. */
  packagesFolder?: string
  /** Whether system packages can be imported. */
  systemPackages?: boolean
  /** Releases the packages. Call it after the run. */
  release: () => void
}

/** Python packages of tasks. */
export interface Packages {
  /**
   * Locks the package versions of a script: packages that the task requires, packages of the base set that it imports, and all
   * dependencies. If the sandbox or the source is unavailable, nothing is locked and the warnings state what is missing.
   */
  lock(
    script: string,
    requirements: readonly Requirement[],
  ): Promise<{ locked: LockedPackage[]; warnings: string[] }>
  /**
   * Installs the packages of a script unless they are cached.
   * @param sandbox sandbox of the run
   * @throws an error with a message for users if a package is unavailable
   */
  provide(sandbox: Sandbox, script: string, packages: StepPackages): Promise<ProvidedPackages>
}

/** Creates the package service. */
export function createPackages(options: {
  settings: PackageSettings
  /** Folder for environments and wheels. */
  folder: string
  /** Returns the sandbox, or the reason why it is unavailable. */
  findSandbox: () => Promise<SandboxAvailability>
}): Packages {
  const { settings, findSandbox } = options
  const { source } = settings
  const open = once((sandbox: Sandbox) =>
    source?.kind === 'system' ? openSystem(sandbox) : openInstaller(options, sandbox),
  )

  /**
   * Resolves versions. Missing packages that a script imports without declaring them are omitted, because the script may handle
   * the ImportError.
   */
  async function resolve(
    sandbox: Sandbox,
    declared: readonly Requirement[],
    imported: readonly string[],
  ): Promise<{ locked: LockedPackage[]; missing: string[] }> {
    const names = settings.basePackages && source !== undefined ? imported : []
    if (declared.length + names.length === 0) return { locked: [], missing: [...imported] }
    if (source === undefined) throw new UnavailableError(unavailableMessage(declared[0]!.name))
    const installer = await open(sandbox)
    const usable: Requirement[] = []
    for (const name of names) if (await installer.has(name)) usable.push({ name, version: '' })
    const needed = [...declared, ...usable]
    const missing = imported.filter((name) => !usable.some((each) => each.name === name))
    return { locked: needed.length === 0 ? [] : await installer.resolve(needed), missing }
  }

  return {
    async lock(script, requirements) {
      const imported = undeclared(script, requirements)
      if (requirements.length + imported.length === 0) return { locked: [], warnings: [] }
      try {
        const availability = await findSandbox()
        if (!availability.available) return { locked: [], warnings: [availability.reason] }
        const { locked, missing } = await resolve(availability.sandbox, requirements, imported)
        return { locked, warnings: missing.map(unavailableMessage) }
      } catch (error) {
        return { locked: [], warnings: [messageOf(error)] }
      }
    },

    async provide(sandbox, script, { requirements, locked }) {
      const isUnlocked = (name: string) => !locked.some((each) => each.name === packageName(name))
      const declared = requirements.filter(({ name }) => isUnlocked(name))
      const imported = undeclared(script, requirements).filter(isUnlocked)
      try {
        const isComplete = declared.length === 0 && (imported.length === 0 || !settings.basePackages)
        const packages = isComplete
          ? locked
          : (await resolve(sandbox, [...locked, ...declared], imported)).locked
        if (packages.length === 0) return { release() {} }
        if (source === undefined) throw new UnavailableError(unavailableMessage(packages[0]!.name))
        return await (await open(sandbox)).provide(packages)
      } catch (error) {
        throw new Error(messageOf(error), { cause: error })
      }
    },
  }
}

/** Returns the base packages that a script imports but the task does not declare. */
function undeclared(script: string, requirements: readonly Requirement[]): string[] {
  const declared = new Set(requirements.map(({ name }) => packageName(name)))
  return importedBasePackages(script).filter((name) => !declared.has(name))
}

/** Caches the result of a function. Calls the function again only after a failure. */
function once<Input, Output>(work: (input: Input) => Promise<Output>): (input: Input) => Promise<Output> {
  let result: Promise<Output> | undefined
  return (input) => {
    result ??= work(input).catch((error: unknown) => {
      result = undefined
      throw error
    })
    return result
  }
}

/** Returns the error message for users, without server paths. */
function messageOf(error: unknown): string {
  if (error instanceof UnavailableError || error instanceof WheelError) return error.message
  const { code, message } = error as NodeJS.ErrnoException
  return `The packages could not be installed: ${code ?? message}`
}

/** Installs packages from a source. */
interface Installer {
  /** Returns whether the source has a package. */
  has(name: string): Promise<boolean>
  /** Resolves the versions of packages and their dependencies. */
  resolve(needed: readonly Requirement[]): Promise<LockedPackage[]>
  /** Makes packages importable. */
  provide(packages: readonly LockedPackage[]): Promise<ProvidedPackages>
}

/** Opens the installer for system packages. The system determines the versions and dependencies; a save only checks them. */
async function openSystem(sandbox: Sandbox): Promise<Installer> {
  const installed = new Map(
    (await readSystemPackages(sandbox)).map(([name, version]) => [packageName(name), version]),
  )

  function lockOne({ name, version }: Requirement): LockedPackage {
    const own = installed.get(packageName(name))
    const [given, wanted] = [parseVersion(own ?? ''), parseVersion(version)]
    if (own === undefined) throw new UnavailableError(unavailableMessage(name))
    if (wanted !== undefined && (given === undefined || compareVersions(given, wanted) !== 0))
      throw new UnavailableError(unavailableMessage(`${name} ${version}`))
    return { name: packageName(name), version: own, sha256: '' }
  }

  return {
    has: async (name) => installed.has(name),
    resolve: async (needed) => needed.map(lockOne),
    async provide(packages) {
      for (const { name } of packages) lockOne({ name, version: '' })
      return { systemPackages: true, release() {} }
    },
  }
}

const offersCacheMs = 60_000

async function openInstaller(
  { settings: { source, cacheBytes }, folder }: { settings: PackageSettings; folder: string },
  sandbox: Sandbox,
): Promise<Installer> {
  if (source === undefined || source.kind === 'system') throw new Error('There is no source of wheels.')
  const { environment, tags, cacheTag } = await readInterpreter(sandbox)
  const cacheFolder = await findCacheFolder(folder)
  const wheels = createWheelCache(wheelsFolderOf(cacheFolder))
  const list =
    source.kind === 'index' ? cached(createIndexSource(source)) : listOf(createFolderSource(source.path))
  const environments = createEnvironments({ folder: cacheFolder, variant: cacheTag, maxBytes: cacheBytes })

  async function findWheel({ name, version, sha256 }: LockedPackage) {
    for (const offer of await list(name)) {
      const own = parseVersion(version)
      if (own === undefined || compareVersions(offer.name.version, own) !== 0) continue
      if (offer.sha256 !== undefined && offer.sha256 !== sha256) continue
      if (!offer.name.tags.some((tag) => tags.includes(tag))) continue
      const { bytes, sha256: hash } = await wheels.read(offer)
      if (hash === sha256) return readWheel(bytes, offer.fileName)
    }
    throw new UnavailableError(unavailableMessage(`${name} ${version}`))
  }

  return {
    has: async (name) => (await list(name)).length > 0,
    resolve: (needed) =>
      resolvePackages(needed, { list, read: (offer) => wheels.read(offer), tags, environment }),
    async provide(packages) {
      const { folder: packagesFolder, release } = await environments.provide(packages, async (target) => {
        for (const each of packages) await (await findWheel(each)).unpack(target)
        await compileModules(sandbox, target)
      })
      return { packagesFolder, release }
    },
  }
}

function listOf(source: WheelSource): (name: string) => Promise<WheelOffer[]> {
  return (name) => source.list(name)
}

/** Returns a function that queries a source at most once a minute for each package. */
function cached(source: WheelSource): (name: string) => Promise<WheelOffer[]> {
  const lists = new Map<string, { offers: Promise<WheelOffer[]>; at: number }>()
  return (name) => {
    const known = lists.get(name)
    if (known !== undefined && performance.now() - known.at < offersCacheMs) return known.offers
    const offers = source.list(name)
    lists.set(name, { offers, at: performance.now() })
    offers.catch(() => lists.delete(name))
    return offers
  }
}
