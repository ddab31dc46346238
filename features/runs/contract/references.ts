/** Reference to an output of another task: `${uuid}`. */
const referencePattern = /^\$\{([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}$/i

/** Whether the value of a parameter is a reference to an output of another task, such as `${5f3c…}`. */
export function isReference(value: string): boolean {
  return referencePattern.test(value)
}

/** Returns the reference with this id. Inputs with a reference receive the value of the output with the same reference. */
export function referenceOf(uuid: string): string {
  return `\${${uuid}}`
}
