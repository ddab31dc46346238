/** Returns the label of a parameter of a built-in task: camel case is split, such as `Body file` for `bodyFile`. */
export function builtInParamLabel(name: string): string {
  const label = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
  return label.charAt(0).toUpperCase() + label.slice(1)
}
