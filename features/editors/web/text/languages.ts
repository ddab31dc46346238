import { StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { extensionOf } from '@headwater/files/contract'

/** A language of the editor. */
export interface Language {
  /** Display name. */
  name: string
  /** Whether the text must be valid JSON. */
  isJson: boolean
  /** Maximum length of a block of lines without a blank line that is highlighted, in characters; default no limit. */
  maxBlock?: number
  /** Loads the support of the editor, which completes names if it has some. */
  load: (names?: SqlNames) => Promise<Extension>
}

/** Names that the completion of SQL offers. */
export interface SqlNames {
  /** Known columns of each table. */
  tables: Readonly<Record<string, readonly string[]>>
  /** Values with their type, such as `{limit:Float64}`. */
  values: readonly string[]
}

const json: Language = {
  name: 'JSON',
  isJson: true,
  load: async () => (await import('@codemirror/lang-json')).json(),
}
const html: Language = {
  name: 'HTML',
  isJson: false,
  load: async () => (await import('@codemirror/lang-html')).html(),
}
const plain: Language = { name: 'Text', isJson: false, load: async () => [] }

const byExtension: Record<string, Language> = {
  json,
  ipynb: json,
  '': json,
  html,
  ftl: { ...html, name: 'FreeMarker' },
  md: {
    name: 'Markdown',
    isJson: false,
    // A block is parsed as a whole, and for some blocks the time grows quadratically.
    maxBlock: 10_000,
    load: async () => (await import('@codemirror/lang-markdown')).markdown(),
  },
  py: {
    name: 'Python',
    isJson: false,
    load: async () => (await import('@codemirror/lang-python')).python(),
  },
  sql: {
    name: 'SQL',
    isJson: false,
    load: async (names) =>
      names === undefined
        ? (await import('@codemirror/lang-sql')).sql()
        : (await import('./sql-completion.ts')).sqlWithNames(names),
  },
  js: {
    name: 'JavaScript',
    isJson: false,
    load: async () => (await import('@codemirror/lang-javascript')).javascript(),
  },
  sh: {
    name: 'Shell',
    isJson: false,
    load: async () => StreamLanguage.define((await import('@codemirror/legacy-modes/mode/shell')).shell),
  },
}

/** Returns the language of a file by its extension; plain text for an unknown extension. */
export function languageOf(fileName: string): Language {
  return byExtension[extensionOf(fileName)] ?? plain
}
