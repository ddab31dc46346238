/** A parsed version of a package (PEP 440). */
export interface Version {
  /** The version as written. */
  text: string
  /** Epoch; 0 if the version does not state one. */
  epoch: number
  /** Numbers of the release, such as `[2, 1, 0]`. */
  release: readonly number[]
  /** Phase and number of a pre-release, such as `['rc', 1]`. */
  pre: readonly ['a' | 'b' | 'rc', number] | undefined
  /** Number of a post-release. */
  post: number | undefined
  /** Number of a development release. */
  dev: number | undefined
  /** Local label, in parts. */
  local: readonly (string | number)[]
}

const pattern =
  /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(?:[-_.]?(alpha|beta|preview|pre|a|b|c|rc)[-_.]?(\d*))?(?:-(\d+)|[-_.]?(post|rev|r)[-_.]?(\d*))?(?:[-_.]?(dev)[-_.]?(\d*))?(?:\+([a-z0-9]+(?:[-_.][a-z0-9]+)*))?$/
const phases = { alpha: 'a', a: 'a', beta: 'b', b: 'b', c: 'rc', rc: 'rc', pre: 'rc', preview: 'rc' } as const

/** Parses a version; undefined if it does not follow PEP 440. */
export function parseVersion(text: string): Version | undefined {
  const match = pattern.exec(text.trim().toLowerCase())
  if (!match) return undefined
  const [, epoch, release, phase, pre, shortPost, post, postNumber, dev, devNumber, local] = match
  return {
    text: text.trim(),
    epoch: Number(epoch ?? 0),
    release: release!.split('.').map(Number),
    pre: phase === undefined ? undefined : [phases[phase as keyof typeof phases], Number(pre || 0)],
    post:
      shortPost !== undefined ? Number(shortPost) : post !== undefined ? Number(postNumber || 0) : undefined,
    dev: dev === undefined ? undefined : Number(devNumber || 0),
    local:
      local === undefined
        ? []
        : local.split(/[-_.]/).map((part) => (/^\d+$/.test(part) ? Number(part) : part)),
  }
}

/** Compares two versions in the order of PEP 440; negative if `a` is older. */
export function compareVersions(a: Version, b: Version): number {
  return comparePublic(a, b) || compareLists(a.local.map(rankOfLocal), b.local.map(rankOfLocal))
}

/** Returns whether a version is a pre-release or development release. */
export function isPreRelease({ pre, dev }: Version): boolean {
  return pre !== undefined || dev !== undefined
}

/**
 * Returns whether a version matches specifiers such as `>=1.2, !=1.5.*`. Empty specifiers match every version; specifiers that
 * violate PEP 440 match none.
 */
export function matchesSpecifiers(version: Version, specifiers: string): boolean {
  return specifiers
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .every((each) => matchesSpecifier(version, each))
}

function matchesSpecifier(version: Version, specifier: string): boolean {
  const [, operator, text] = /^(===|==|!=|<=|>=|~=|<|>)\s*(\S+)$/.exec(specifier) ?? []
  if (operator === undefined || text === undefined) return false
  if (operator === '===') return version.text.toLowerCase() === text.toLowerCase()
  const isPrefix = text.endsWith('.*')
  const other = parseVersion(isPrefix ? text.slice(0, -2) : text)
  if (other === undefined || (isPrefix && operator !== '==' && operator !== '!=')) return false
  const order = comparePublic(version, other)
  switch (operator) {
    case '==':
      return isEqual(version, other, isPrefix)
    case '!=':
      return !isEqual(version, other, isPrefix)
    case '<=':
      return order <= 0
    case '>=':
      return order >= 0
    case '<':
      return order < 0 && !(isPreRelease(version) && !isPreRelease(other) && hasRelease(version, other))
    case '>':
      return (
        order > 0 && !(version.post !== undefined && other.post === undefined && hasRelease(version, other))
      )
    default:
      return (
        other.release.length > 1 && order >= 0 && hasPrefix(version, other.release.slice(0, -1), other.epoch)
      )
  }
}

function isEqual(version: Version, other: Version, isPrefix: boolean): boolean {
  if (isPrefix) return hasPrefix(version, other.release, other.epoch)
  if (other.local.length > 0) return compareVersions(version, other) === 0
  return comparePublic(version, other) === 0
}

function hasRelease(version: Version, other: Version): boolean {
  return version.epoch === other.epoch && compareLists(trimmed(version.release), trimmed(other.release)) === 0
}

function hasPrefix({ epoch, release }: Version, prefix: readonly number[], prefixEpoch: number): boolean {
  return epoch === prefixEpoch && prefix.every((number, i) => (release[i] ?? 0) === number)
}

/** Compares versions without their local labels. */
function comparePublic(a: Version, b: Version): number {
  return (
    a.epoch - b.epoch ||
    compareLists(trimmed(a.release), trimmed(b.release)) ||
    compareLists(rankOf(a), rankOf(b))
  )
}

/** Removes trailing zeros, because 1.0 equals 1. */
function trimmed(release: readonly number[]): number[] {
  const last = release.findLastIndex((number) => number !== 0)
  return release.slice(0, last + 1)
}

/** Returns the order within a release: development releases, pre-releases by phase, the release, post-releases. */
function rankOf({ pre, post, dev }: Version): number[] {
  const phase = pre ? ['a', 'b', 'rc'].indexOf(pre[0]) : dev !== undefined && post === undefined ? -1 : 3
  return [phase, pre?.[1] ?? 0, post ?? -1, dev ?? Infinity]
}

/** Returns a sort key. Numbers come after strings. */
function rankOfLocal(part: string | number): string {
  return typeof part === 'number' ? `~${String(part).padStart(12, '0')}` : part
}

function compareLists<Part extends number | string>(a: readonly Part[], b: readonly Part[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [one, other] = [a[i], b[i]]
    if (one === undefined) return -1
    if (other === undefined) return 1
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}
