import { message } from '@headwater/web-kit'

/** Returns whether the path of an error belongs to a field: `tags[3]` belongs to `tags`, `task.taskName` to `task`. */
export function isPathOf(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}[`) || path.startsWith(`${field}.`)
}

/** Returns the first error of these fields; undefined without errors. */
export function errorOfFields(
  errors: Readonly<Record<string, string>>,
  fields: readonly string[],
): string | undefined {
  return Object.entries(errors).find(([path]) => fields.some((field) => isPathOf(path, field)))?.[1]
}

/** Shows messages for errors of all other fields. */
export function reportOtherErrors(errors: Readonly<Record<string, string>>, fields: readonly string[]): void {
  for (const [path, text] of Object.entries(errors))
    if (!fields.some((field) => isPathOf(path, field))) message(text, 'error')
}
