/** A reference to what another task gives: `${uuid}`. */
const referencePattern = /^\$\{([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\}$/i

/** Whether the value of a parameter is a reference to what another task gives, such as `${5f3c…}`. */
export function isReference(value: string): boolean {
  return referencePattern.test(value)
}

/** A reference by an id. An output that carries it is what inputs that carry it receive. */
export function referenceOf(uuid: string): string {
  return `\${${uuid}}`
}
