/**
 * Returns whether a press is the second one of a double click. If the first click opens an element, the second press can hit
 * that element unintentionally.
 */
export function isRepeated({ detail }: { detail: number }): boolean {
  return detail > 1
}
