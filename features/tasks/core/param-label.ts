/** Labels for names that users would not understand or that a different setting already has. */
const labels: Readonly<Record<string, string>> = {
  Group: 'Target group',
  onFailure: 'After a failed run',
  insightId: 'Insight',
  'Longest gap': 'Maximum gap between dates',
  'Oldest newest date': 'Maximum age of the newest date',
}

/**
 * Returns the label of a parameter of a built-in task. Camel case is split, for example `Body file` for `bodyFile`, and numbers
 * are separated, for example `Attachment 2`.
 */
export function builtInParamLabel(name: string): string {
  const label = name.replaceAll(
    /([a-z])([A-Z\d])/g,
    (_, end: string, start: string) => `${end} ${start.toLowerCase()}`,
  )
  return labels[name] ?? label.charAt(0).toUpperCase() + label.slice(1)
}
