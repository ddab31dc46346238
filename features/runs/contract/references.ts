/** Reference to an output of a different task: `${uuid}`. */
const referencePattern = /^\$\{([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}$/i

/** Reference to a value of the trigger that started the run: `${trigger.fileId}`. */
const triggerPattern = /^\$\{trigger\.([A-Za-z]{1,40})\}$/

/**
 * Returns whether a parameter value is a reference to an output of a different task, such as `${5f3c…}`, or to a trigger value,
 * such as `${trigger.fileId}`.
 */
export function isReference(value: string): boolean {
  return referencePattern.test(value) || triggerPattern.test(value)
}

/** Returns the name in a reference to a trigger value; undefined for other values. */
export function triggerValueName(value: string): string | undefined {
  return triggerPattern.exec(value)?.[1]
}

/** Help sentence that lists the names that expressions can use. */
export const expressionNames =
  'Use run.id, run.name, run.group, run.date, run.time, trigger.…, params.… or the reference of an output.'

/** Returns the references in an expression, without duplicates. */
export function referencesIn(expression: string): string[] {
  const matches = [...expression.matchAll(/\$\{[^{}\s]{1,100}\}/g)].map(([text]) => text)
  return [...new Set(matches)].filter(isReference)
}

/** Returns the reference to a trigger value. */
export function triggerReference(name: string): string {
  return `\${trigger.${name}}`
}

/** Returns the reference with this id. An input receives the value of the output that has the same reference. */
export function referenceOf(uuid: string): string {
  return `\${${uuid}}`
}
