/**
 * Returns whether a press is the second one of a double click. If an element opens on the first click, the second press
 * hits it unintentionally.
 */
export function isRepeated({ detail }: { detail: number }): boolean {
  return detail > 1
}
