import { beginningOf } from '@headwater/contract'
import { maxTemplateName } from '../contract/index.ts'

/** Number of names per lookup. */
const namesAtOnce = 50

/**
 * Returns the proposed name for a template of an insight: `<insight> template`, followed by the next free number if
 * the name is taken.
 * @param takenOf returns which of the names are taken
 */
export async function freeTemplateName(
  insightName: string,
  takenOf: (names: readonly string[]) => Promise<readonly string[]>,
): Promise<string> {
  for (let first = 1; ; first += namesAtOnce) {
    const names = Array.from({ length: namesAtOnce }, (_, at) => templateName(insightName, first + at))
    const taken = new Set(await takenOf(names))
    const free = names.find((name) => !taken.has(name))
    if (free !== undefined) return free
  }
}

function templateName(insightName: string, number: number): string {
  const end = number === 1 ? ' template' : ` template ${number}`
  return beginningOf(insightName, maxTemplateName - end.length) + end
}
