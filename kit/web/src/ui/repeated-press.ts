/**
 * Returns whether a press is the second one of a double click. An element that opens on a click is under the second press,
 * which was not meant for it.
 */
export function isRepeated({ detail }: { detail: number }): boolean {
  return detail > 1
}
