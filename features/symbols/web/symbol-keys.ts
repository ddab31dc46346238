import type { SymbolMap } from '../contract/index.ts'

/** A key and value that are being edited. */
export interface KeyDraft {
  /** Id of the row. */
  id: number
  /** Name of the key. */
  key: string
  /** Value of the key. */
  value: string
}

/** Returns the symbol of the rows; empty rows are ignored. */
export function symbolOf(keys: readonly KeyDraft[]): SymbolMap {
  return Object.fromEntries(filled(keys).map(({ key, value }) => [key.trim(), value.trim()]))
}

/** Returns errors of the keys, by id of the row. */
export function keyFaults(keys: readonly KeyDraft[]): Map<number, { key?: string; value?: string }> {
  const faults = new Map<number, { key?: string; value?: string }>()
  const rows = filled(keys)
  if (rows.length === 0 && keys[0] !== undefined) faults.set(keys[0].id, { key: 'Enter at least one key.' })
  for (const [index, { id, key, value }] of rows.entries()) {
    const name = key.trim()
    if (name === '') faults.set(id, { key: 'Enter a name for the key.' })
    else if (rows.findIndex((other) => other.key.trim() === name) < index)
      faults.set(id, { key: 'This key is used twice.' })
    else if (value.trim() === '') faults.set(id, { value: 'Enter a value for the key.' })
  }
  return faults
}

function filled(keys: readonly KeyDraft[]): KeyDraft[] {
  return keys.filter(({ key, value }) => key.trim() !== '' || value.trim() !== '')
}
