/** Most characters of the name of a template. */
export const maxTemplateName = 200

/**
 * The name that is proposed for a template of an insight: `<insight> template`, with the next number behind it while there
 * is one of that name, in any letter case.
 */
export function freeTemplateName(insightName: string, taken: readonly string[]): string {
  const known = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const end = number === 1 ? ' template' : ` template ${number}`
    const name = insightName.slice(0, maxTemplateName - end.length) + end
    if (!known.has(name.toLowerCase())) return name
  }
}
