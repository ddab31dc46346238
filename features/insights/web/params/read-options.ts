/** A choice in an options file. */
export interface FileOption {
  /** Value to apply; not empty. */
  value: string
  /** Display text; equal to the value if the file contains no label. */
  label: string
}

/**
 * Parses the choices in the text of a file: JSON with pairs of a value and a label, otherwise one choice per line, or a
 * single line separated by commas. Choices without a label use the value as the label. For duplicate values, the first
 * choice wins. Empty values are omitted.
 */
export function readOptions(text: string): FileOption[] {
  const plain = text.replace(/^\uFEFF/, '')
  const options = pairsIn(plain) ?? partsOf(plain).map((part) => ({ value: part, label: part }))
  const seen = new Set([''])
  return options.filter(({ value }) => {
    if (seen.has(value)) return false
    seen.add(value)
    return true
  })
}

/** Returns the pairs of a JSON list; undefined for any other text. */
function pairsIn(text: string): FileOption[] | undefined {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!Array.isArray(json)) return undefined
  const pairs = json.map(pairOf)
  return pairs.every((pair) => pair !== undefined) ? pairs : undefined
}

function pairOf(entry: unknown): FileOption | undefined {
  const { value, label } = (typeof entry === 'object' && entry !== null ? entry : { value: entry }) as {
    value?: unknown
    label?: unknown
  }
  const text = scalarText(value)
  return text === undefined ? undefined : { value: text, label: scalarText(label) || text }
}

function scalarText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined
}

function partsOf(text: string): string[] {
  const lines = named(text.split(/\r\n|\r|\n/))
  return lines.length === 1 ? named(lines[0]!.split(',')) : lines
}

function named(parts: readonly string[]): string[] {
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
