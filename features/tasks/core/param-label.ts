/** Labels that the name does not give: every task has a setting “On failure”, and the value of `insightId` is chosen by name. */
const labels: Readonly<Record<string, string>> = {
  onFailure: 'After a failed run',
  insightId: 'Insight',
}

/** Returns the label of a parameter of a built-in task: camel case is split, such as `Body file` for `bodyFile`. */
export function builtInParamLabel(name: string): string {
  const label = name.replaceAll(
    /([a-z])([A-Z])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
  return labels[name] ?? label.charAt(0).toUpperCase() + label.slice(1)
}
