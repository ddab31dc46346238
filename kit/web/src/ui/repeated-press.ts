/**
 * Whether a press belongs to a double click whose first press came before it. What opens on a click lies under the second
 * press of a double click, which was not meant for it.
 */
export function isRepeated({ detail }: { detail: number }): boolean {
  return detail > 1
}
