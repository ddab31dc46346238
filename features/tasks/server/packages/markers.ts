import { packageName } from '../../contract/index.ts'
import { matchesSpecifiers, parseVersion } from './versions.ts'

/** Properties of the interpreter by their PEP 508 names, such as `python_version` and `sys_platform`. */
export type MarkerEnvironment = Readonly<Record<string, string>>

/** A dependency that a package declares in its metadata. */
export interface Dependency {
  /** Normalised name. */
  name: string
  /** Requested extras of the package, normalised. */
  extras: string[]
  /** Specifiers such as `>=1.26,<3`; empty means any version. */
  specifiers: string
  /** Condition; undefined means always. */
  marker: string | undefined
}

/** Parses a `Requires-Dist` line (PEP 508). Returns undefined if it contains a URL instead of a version, or is invalid. */
export function parseDependency(line: string): Dependency | undefined {
  const [requirement = '', ...marker] = line.split(';')
  const match = /^\s*([A-Za-z0-9][\w.-]*)\s*(?:\[([^\]]*)\])?\s*\(?([^()@]*)\)?\s*$/.exec(requirement)
  if (!match) return undefined
  const [, name, extras = '', specifiers] = match
  return {
    name: packageName(name!),
    extras: extras.split(',').map(packageName).filter(Boolean),
    specifiers: specifiers!.trim(),
    marker: marker.length > 0 ? marker.join(';').trim() : undefined,
  }
}

/**
 * Evaluates the condition of a dependency. Invalid conditions are false.
 * @param extras requested extras of the package that declares the dependency, normalised
 */
export function matchesMarker(
  marker: string,
  environment: MarkerEnvironment,
  extras: readonly string[],
): boolean {
  const tokens = marker.match(/'[^']*'|"[^"]*"|\(|\)|===|==|!=|<=|>=|~=|<|>|[A-Za-z_.]+/g) ?? []
  let at = 0

  function any(): boolean {
    let result = all()
    while (tokens[at] === 'or') {
      at++
      const next = all()
      result ||= next
    }
    return result
  }

  function all(): boolean {
    let result = one()
    while (tokens[at] === 'and') {
      at++
      const next = one()
      result &&= next
    }
    return result
  }

  function one(): boolean {
    if (tokens[at] === '(') {
      at++
      const result = any()
      at++
      return result
    }
    const left = tokens[at++] ?? ''
    let operator = tokens[at++] ?? ''
    if (operator === 'not') operator = `not ${tokens[at++]}`
    return compare(left, operator, tokens[at++] ?? '')
  }

  function compare(left: string, operator: string, right: string): boolean {
    if (left === 'extra' || right === 'extra') {
      const extra = packageName(valueOf(left === 'extra' ? right : left))
      return extras.includes(extra) === (operator === '==')
    }
    const [a, b] = [valueOf(left), valueOf(right)]
    if (operator === 'in') return b.includes(a)
    if (operator === 'not in') return !b.includes(a)
    const version = parseVersion(a)
    if (version !== undefined && parseVersion(b.replace(/\.\*$/, '')) !== undefined)
      return matchesSpecifiers(version, `${operator}${b}`)
    return operator === '==' ? a === b : operator === '!=' && a !== b
  }

  function valueOf(token: string): string {
    return /^['"]/.test(token) ? token.slice(1, -1) : (environment[token] ?? '')
  }

  const result = any()
  return result && at === tokens.length
}
