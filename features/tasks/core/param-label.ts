/** Returns the label of a parameter of a built-in task: its name as words, such as `Body file` for `bodyFile`. */
export function builtInParamLabel(name: string): string {
  const words = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
  return words.charAt(0).toUpperCase() + words.slice(1)
}
