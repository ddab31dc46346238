import { packageName, type LockedPackage, type Requirement } from '../../contract/index.ts'
import { matchesMarker, type Dependency, type MarkerEnvironment } from './markers.ts'
import { compareVersions, isPreRelease, matchesSpecifiers, parseVersion } from './versions.ts'
import { readWheel, type Wheel } from './wheel-file.ts'
import type { WheelOffer } from './wheel-sources.ts'

/** A requirement that cannot be fulfilled, with the reason for users. */
export class UnavailableError extends Error {}

/** Returns the message for a package that tasks cannot import. */
export function unavailableMessage(name: string): string {
  return `The package ${name} is not available. Ask an administrator to enable it.`
}

/** Dependencies of the resolver. */
export interface ResolutionSources {
  /** Returns the wheels of a package. */
  list: (name: string) => Promise<WheelOffer[]>
  /** Returns the content of a wheel and its SHA-256. */
  read: (offer: WheelOffer) => Promise<{ bytes: Buffer; sha256: string }>
  /** Wheel tags that the interpreter accepts, best first. */
  tags: readonly string[]
  /** Properties of the interpreter. */
  environment: MarkerEnvironment
}

interface Constraint {
  specifiers: string
  /** Package that requires it; undefined if the task requires it. */
  by: string | undefined
  extras: readonly string[]
}

interface Choice {
  offer: WheelOffer
  wheel: Wheel
  sha256: string
}

const maxPackages = 200
const maxRounds = 500

/**
 * Resolves the version of each required package and its dependencies: the newest version that satisfies all conditions.
 * Pre-releases are chosen only if there is no other version or one is required explicitly.
 * @throws UnavailableError if a package is missing or no version satisfies all conditions
 */
export async function resolvePackages(
  requirements: readonly Requirement[],
  sources: ResolutionSources,
): Promise<LockedPackage[]> {
  const choices = new Map<string, Choice>()
  for (let round = 0; round < maxRounds; round++) {
    const constraints = constraintsOf(requirements, choices, sources.environment)
    for (const name of choices.keys()) if (!constraints.has(name)) choices.delete(name)
    const next = [...constraints].find(([name, own]) => {
      const choice = choices.get(name)
      return choice === undefined || !fulfils(choice.offer, own)
    })
    if (next === undefined) {
      return [...choices]
        .map(([name, { offer, sha256 }]) => ({ name, version: offer.name.version.text, sha256 }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    }
    if (constraints.size > maxPackages)
      throw new UnavailableError(`The packages depend on more than ${maxPackages} other packages.`)
    choices.set(next[0], await choose(...next, sources))
  }
  throw new UnavailableError('The required packages have no compatible combination of versions.')
}

/** Returns the conditions on each package that result from the requirements and the current choices. */
function constraintsOf(
  requirements: readonly Requirement[],
  choices: ReadonlyMap<string, Choice>,
  environment: MarkerEnvironment,
): Map<string, Constraint[]> {
  const constraints = new Map<string, Constraint[]>()
  const add = (name: string, constraint: Constraint) =>
    constraints.set(name, [...(constraints.get(name) ?? []), constraint])
  for (const { name, version } of requirements)
    add(packageName(name), { specifiers: version === '' ? '' : `==${version}`, by: undefined, extras: [] })
  const waiting = [...constraints.keys()]
  const done = new Set<string>()
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
    const extras = [...new Set((constraints.get(name) ?? []).flatMap((each) => each.extras))].toSorted()
    const key = `${name}[${extras.join()}]`
    if (done.has(key)) continue
    done.add(key)
    for (const dependency of choices.get(name)?.wheel.dependencies ?? []) {
      if (!applies(dependency, environment, extras)) continue
      const { name: other, specifiers, extras: itsExtras } = dependency
      add(other, { specifiers, by: name, extras: itsExtras })
      waiting.push(other)
    }
  }
  return constraints
}

function applies({ marker }: Dependency, environment: MarkerEnvironment, extras: readonly string[]): boolean {
  return marker === undefined || matchesMarker(marker, environment, extras)
}

function fulfils({ name: { version } }: WheelOffer, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ specifiers }) => matchesSpecifiers(version, specifiers))
}

async function choose(
  name: string,
  constraints: readonly Constraint[],
  { list, read, tags, environment }: ResolutionSources,
): Promise<Choice> {
  const exact = constraints.find(({ specifiers }) => /^={2,3}[^*,]+$/.test(specifiers))
  const pythonVersion = parseVersion(environment.python_full_version ?? '')
  const rank = (offer: WheelOffer) => Math.min(...offer.name.tags.map((tag) => rankOfTag(tags, tag)))
  const offers = (await list(name))
    .filter((offer) => rank(offer) < Infinity)
    .filter((offer) => !pythonVersion || matchesSpecifiers(pythonVersion, offer.pythonSpecifiers))
    .filter((offer) => exact !== undefined || !offer.isYanked)
    .toSorted((a, b) => compareVersions(b.name.version, a.name.version) || rank(a) - rank(b))
  if (offers.length === 0) throw new UnavailableError(unavailableMessage(name))
  const matching = offers.filter((offer) => fulfils(offer, constraints))
  const offer = matching.find((each) => !isPreRelease(each.name.version)) ?? matching[0]
  if (offer === undefined) throw new UnavailableError(conflictMessage(name, constraints))
  const { bytes, sha256 } = await read(offer)
  const wheel = readWheel(bytes, offer.fileName)
  if (pythonVersion && !matchesSpecifiers(pythonVersion, wheel.pythonSpecifiers))
    throw new UnavailableError(
      `The package ${name} ${offer.name.version.text} needs Python ${wheel.pythonSpecifiers}; this server has ${pythonVersion.text}.`,
    )
  return { offer, wheel, sha256 }
}

function rankOfTag(tags: readonly string[], tag: string): number {
  const rank = tags.indexOf(tag)
  return rank === -1 ? Infinity : rank
}

function conflictMessage(name: string, constraints: readonly Constraint[]): string {
  const [only] = constraints
  if (constraints.length === 1 && only!.by === undefined)
    return unavailableMessage(`${name} ${only!.specifiers.replace(/^==/, '')}`)
  const parts = constraints
    .filter(({ specifiers }) => specifiers !== '')
    .map(({ specifiers, by }) => `${by ?? 'the task'} needs ${name} ${specifiers}`)
  return `No version of ${name} satisfies all conditions: ${parts.join('; ')}.`
}
