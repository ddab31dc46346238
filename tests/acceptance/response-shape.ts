/**
 * Lists where the shape of a JSON value differs from an expected one: members of objects, and types of values. Only the
 * first items of a list are compared. `null` matches any value, because it represents an absent one.
 */
export function shapeDifferences(expected: unknown, actual: unknown, path = 'response'): string[] {
  if (expected === null || actual === null) return []
  const [wanted, given] = [kindOf(expected), kindOf(actual)]
  if (wanted !== given) return [`${path} is ${given}, not ${wanted}`]
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length === 0) return []
    if (actual.length === 0) return [`${path} is empty`]
    return shapeDifferences(expected[0], actual[0], `${path}[0]`)
  }
  if (wanted !== 'object') return []
  const [left, right] = [expected as Record<string, unknown>, actual as Record<string, unknown>]
  return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((key) => {
    if (!(key in right)) return [`${path}.${key} is missing`]
    if (!(key in left)) return [`${path}.${key} is not in the reference`]
    return shapeDifferences(left[key], right[key], `${path}.${key}`)
  })
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'list' : typeof value
}
