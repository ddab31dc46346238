/** Returns whether a parsed JSON value is an object; false for arrays and null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
