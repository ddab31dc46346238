import type { NamedSymbol, NotedSymbol } from './ingest-notes-store.ts'
import type { IngestStore } from './ingest-store.ts'

/** Collects the symbols of a file while it is read. */
export interface SymbolNotes {
  /** Notes symbols and returns their ids, in order: existing ids, or new ones. */
  addSymbols(symbols: readonly NamedSymbol[]): Promise<number[]>
  /** Notes metadata of noted symbols; earlier metadata with other names remains. */
  addMetadata(metadata: readonly { sid: number; values: Record<string, string> }[]): Promise<void>
}

/** Creates notes in the database, for the ingest of a whole file. */
export function createStoredNotes(
  store: IngestStore,
  file: { fileId: string; groupId: number },
): SymbolNotes {
  return {
    addSymbols: (symbols) => store.noteSymbols(file, symbols),
    addMetadata: (metadata) => store.noteMetadata(file.fileId, metadata),
  }
}

/** Maximum number of symbols held in memory. */
const maxHeldSymbols = 10_000
/** Maximum number of characters of metadata held in memory. */
const maxHeldCharacters = 4_000_000

/** Notes in memory, for a file that is being uploaded: no cleanup is needed if the upload fails. */
export class HeldNotes implements SymbolNotes {
  readonly #store: IngestStore
  readonly #groupId: number
  readonly #symbols = new Map<number, NotedSymbol>()
  #characters = 0

  constructor(store: IngestStore, groupId: number) {
    this.#store = store
    this.#groupId = groupId
  }

  /** The noted symbols. */
  get symbols(): NotedSymbol[] {
    return [...this.#symbols.values()]
  }

  async addSymbols(symbols: readonly NamedSymbol[]): Promise<number[]> {
    if (this.#symbols.size + symbols.length > maxHeldSymbols)
      throw new Error('These are too many symbols to hold.')
    const matches = await this.#store.findSymbols(this.#groupId, symbols)
    for (const [index, { id, isNew }] of matches.entries())
      this.#symbols.set(id, { ...symbols[index]!, id, isNew, metadata: {} })
    return matches.map(({ id }) => id)
  }

  async addMetadata(metadata: readonly { sid: number; values: Record<string, string> }[]): Promise<void> {
    for (const { sid, values } of metadata) {
      Object.assign(this.#symbols.get(sid)!.metadata, values)
      for (const value of Object.values(values)) this.#characters += value.length
    }
    if (this.#characters > maxHeldCharacters)
      throw new Error(`The metadata exceeds the limit of ${maxHeldCharacters} characters.`)
  }
}
