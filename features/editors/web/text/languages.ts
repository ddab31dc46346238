import { StreamLanguage } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { extensionOf } from '@headwater/files/contract'

/** How the text of a file is read and coloured. */
export interface Language {
  /** Its name for people. */
  name: string
  /** Whether the text has to be valid JSON. */
  isJson: boolean
  /** The longest run of lines without a blank one between that is coloured, in characters; default any. */
  maxBlock?: number
  /** Fetches what the editor needs to know about it. */
  load: () => Promise<Extension>
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
    // A block is parsed in one go, and some take a time that grows with the square of their length.
    maxBlock: 10_000,
    load: async () => (await import('@codemirror/lang-markdown')).markdown(),
  },
  py: {
    name: 'Python',
    isJson: false,
    load: async () => (await import('@codemirror/lang-python')).python(),
  },
  sql: { name: 'SQL', isJson: false, load: async () => (await import('@codemirror/lang-sql')).sql() },
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

/** The language of a file by its extension; text without colours when it is not known. */
export function languageOf(fileName: string): Language {
  return byExtension[extensionOf(fileName)] ?? plain
}
