/** Returns the label of a stored choice: `basisClosed` → `Basis closed`, `bumpX` → `Bump X`. */
export function choiceLabel(value: string): string {
  const spaced = value.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start}`)
  const lower = spaced.replace(/ [A-Z](?=[a-z])/g, (start) => start.toLowerCase())
  return lower.charAt(0).toUpperCase() + lower.slice(1)
}
