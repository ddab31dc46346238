import type { SymbolMap } from '../contract/index.ts'

/** A key and its value as they are being typed. */
export interface KeyDraft {
  id: number
  key: string
  value: string
}

/** The symbol that is typed; rows without a key and a value do not count. */
export function symbolOf(keys: readonly KeyDraft[]): SymbolMap {
  return Object.fromEntries(filled(keys).map(({ key, value }) => [key.trim(), value.trim()]))
}

/** What is wrong with the keys, by the id of their row; empty when nothing is. */
export function keyFaults(keys: readonly KeyDraft[]): Map<number, { key?: string; value?: string }> {
  const faults = new Map<number, { key?: string; value?: string }>()
  const rows = filled(keys)
  if (rows.length === 0 && keys[0] !== undefined) faults.set(keys[0].id, { key: 'Enter at least one key.' })
  for (const [index, { id, key, value }] of rows.entries()) {
    const name = key.trim()
    if (name === '') faults.set(id, { key: 'Name the key.' })
    else if (rows.findIndex((other) => other.key.trim() === name) < index)
      faults.set(id, { key: 'This key is used twice.' })
    else if (value.trim() === '') faults.set(id, { value: 'Give the key a value.' })
  }
  return faults
}

function filled(keys: readonly KeyDraft[]): KeyDraft[] {
  return keys.filter(({ key, value }) => key.trim() !== '' || value.trim() !== '')
}
