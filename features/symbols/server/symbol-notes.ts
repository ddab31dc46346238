import type { IngestStore, NamedSymbol, NotedSymbol } from './ingest-store.ts'

/** Where the symbols of a file are noted while it is read. */
export interface SymbolNotes {
  /** Notes symbols and answers with their ids, in order: those of the group if it has them, else new ones. */
  addSymbols(symbols: readonly NamedSymbol[]): Promise<number[]>
  /** Notes metadata of noted symbols; what was noted before and is not named stays. */
  addMetadata(metadata: readonly { sid: number; values: Record<string, string> }[]): Promise<void>
}

/** Notes for a file that is being taken over, in the database. */
export function createStoredNotes(
  store: IngestStore,
  file: { fileId: string; groupId: number },
): SymbolNotes {
  return {
    addSymbols: (symbols) => store.noteSymbols(file, symbols),
    addMetadata: (metadata) => store.noteMetadata(file.fileId, metadata),
  }
}

/** So many symbols are held in memory at most. */
const maxHeldSymbols = 10_000
/** So many characters of their metadata are, at most. */
const maxHeldCharacters = 4_000_000

/** Notes for a file that has not arrived yet, in memory: nothing has to be tidied up if it never does. */
export class HeldNotes implements SymbolNotes {
  readonly #store: IngestStore
  readonly #groupId: number
  readonly #symbols = new Map<number, NotedSymbol>()
  #characters = 0

  constructor(store: IngestStore, groupId: number) {
    this.#store = store
    this.#groupId = groupId
  }

  /** All that was noted. */
  get symbols(): NotedSymbol[] {
    return [...this.#symbols.values()]
  }

  async addSymbols(symbols: readonly NamedSymbol[]): Promise<number[]> {
    if (this.#symbols.size + symbols.length > maxHeldSymbols)
      throw new Error('These are too many symbols to hold.')
    const found = await this.#store.findSymbols(this.#groupId, symbols)
    for (const [index, { id, isNew }] of found.entries())
      this.#symbols.set(id, { ...symbols[index]!, id, isNew, metadata: {} })
    return found.map(({ id }) => id)
  }

  async addMetadata(metadata: readonly { sid: number; values: Record<string, string> }[]): Promise<void> {
    for (const { sid, values } of metadata) {
      Object.assign(this.#symbols.get(sid)!.metadata, values)
      for (const value of Object.values(values)) this.#characters += value.length
    }
    if (this.#characters > maxHeldCharacters) throw new Error('This is too much metadata to hold.')
  }
}
