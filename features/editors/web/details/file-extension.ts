/** Appends an extension (given without its dot) to a name that does not end with it. An empty name stays unchanged. */
export function withExtension(name: string, extension: string): string {
  const trimmed = name.trim()
  return trimmed === '' || extension === '' || hasExtension(trimmed, extension)
    ? trimmed
    : `${trimmed}.${extension}`
}

/** Removes an extension (given without its dot) from the end of a name. */
export function withoutExtension(name: string, extension: string): string {
  return hasExtension(name, extension) ? name.slice(0, -extension.length - 1) : name
}

function hasExtension(name: string, extension: string): boolean {
  return extension !== '' && name.toLowerCase().endsWith(`.${extension.toLowerCase()}`)
}
