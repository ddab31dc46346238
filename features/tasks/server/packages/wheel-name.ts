import { packageName } from '../../contract/index.ts'
import { parseVersion, type Version } from './versions.ts'

/** Fields of a wheel file name (PEP 427). */
export interface WheelName {
  /** Normalised name of the package. */
  name: string
  /** Version of the package. */
  version: Version
  /** Compatibility tags, such as `cp311-cp311-manylinux_2_17_x86_64`. */
  tags: string[]
}

/** Parses a wheel file name. Returns undefined for other files and invalid names. */
export function parseWheelName(fileName: string): WheelName | undefined {
  if (!/^[\w.!+-]+\.whl$/.test(fileName)) return undefined
  const parts = fileName.slice(0, -'.whl'.length).split('-')
  if (parts.length !== 5 && parts.length !== 6) return undefined
  const version = parseVersion(parts[1]!.replaceAll('_', '-'))
  const [pythons, abis, platforms] = parts.slice(-3).map((part) => part.split('.'))
  if (version === undefined || parts[0] === '') return undefined
  const tags = pythons!.flatMap((python) =>
    abis!.flatMap((abi) => platforms!.map((platform) => `${python}-${abi}-${platform}`)),
  )
  return { name: packageName(parts[0]!), version, tags }
}

/** Properties of the interpreter that wheels depend on. */
export interface Interpreter {
  /** Minor version of Python 3, such as 11. */
  minor: number
  /** Processor in Python's notation, such as `x86_64`. */
  machine: string
  /** Version of the GNU C library, such as `[2, 36]`; undefined if a different library is used. */
  glibc: readonly [number, number] | undefined
}

/** Returns the wheel tags that an interpreter accepts, best first. */
export function compatibleTags({ minor, machine, glibc }: Interpreter): string[] {
  const platforms = [...platformsOf(machine, glibc), `linux_${machine}`]
  const own = `cp3${minor}`
  const stable = Array.from({ length: minor - 1 }, (_, i) => `cp3${minor - i}`)
  const pure = [`py3${minor}`, 'py3', ...Array.from({ length: minor }, (_, i) => `py3${minor - 1 - i}`)]
  return [
    ...platforms.map((platform) => `${own}-${own}-${platform}`),
    ...stable.flatMap((python) => platforms.map((platform) => `${python}-abi3-${platform}`)),
    ...platforms.map((platform) => `${own}-none-${platform}`),
    ...pure.flatMap((python) => platforms.map((platform) => `${python}-none-${platform}`)),
    `${own}-none-any`,
    ...pure.map((python) => `${python}-none-any`),
  ]
}

const oldNames: Record<string, string> = { 17: 'manylinux2014', 12: 'manylinux2010', 5: 'manylinux1' }

function platformsOf(machine: string, glibc: Interpreter['glibc']): string[] {
  if (glibc === undefined || glibc[0] !== 2) return []
  const platforms: string[] = []
  for (let minor = glibc[1]; minor >= 5; minor--) {
    platforms.push(`manylinux_2_${minor}_${machine}`)
    if (oldNames[minor] !== undefined) platforms.push(`${oldNames[minor]}_${machine}`)
  }
  return platforms
}
