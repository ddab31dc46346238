import { useEffect, useRef, useState } from 'react'
import { defaultKeymap, history, historyKeymap, indentWithTab, redo } from '@codemirror/commands'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import {
  closeSearchPanel,
  highlightSelectionMatches,
  search,
  searchKeymap,
  searchPanelOpen,
} from '@codemirror/search'
import { Compartment, EditorState, type Extension, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { styleNonce, toastError, useEscape } from '@headwater/web-kit'
import type { Language } from './languages.ts'
import styles from './TextEditor.module.css'

/** Position of the cursor. */
export interface CursorPosition {
  /** Number of the line, from 1. */
  line: number
  /** Number of the column, from 1. */
  column: number
}

/** A text editor with line numbers, syntax highlighting, search (Ctrl+F), undo and redo. */
export function TextEditor({
  initial,
  language,
  label,
  editable,
  isInvalid,
  wraps = false,
  takesFocus = true,
  describedBy,
  onChange,
  onMove,
}: {
  /** Initial text; later changes are ignored. */
  initial: Text
  language: Language
  /** Accessible name. */
  label: string
  editable: boolean
  /** Whether the text is marked as invalid. */
  isInvalid: boolean
  /** Whether long lines wrap; default false. */
  wraps?: boolean
  /** Whether it gets the focus after mounting; default true. */
  takesFocus?: boolean
  /** Id of the element that describes the editor. */
  describedBy?: string
  onChange: (text: Text) => void
  onMove?: (position: CursorPosition) => void
}) {
  const container = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(undefined)
  const callbacks = useRef({ onChange, onMove })
  useEffect(() => {
    callbacks.current = { onChange, onMove }
  })
  const [marking] = useState(() => new Compartment())
  const [isSearching, setSearching] = useState(false)
  useEscape(isSearching, () => {
    if (editor.current === undefined) return
    closeSearchPanel(editor.current)
    editor.current.focus()
  })
  useEffect(() => {
    const colours = new Compartment()
    const view = new EditorView({
      parent: container.current!,
      state: EditorState.create({
        doc: initial,
        extensions: [
          base,
          EditorView.cspNonce.of(styleNonce()),
          EditorState.readOnly.of(!editable),
          wraps ? EditorView.lineWrapping : [],
          EditorView.contentAttributes.of({
            'aria-label': label,
            tabindex: '0',
            ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
          }),
          marking.of([]),
          colours.of([]),
          EditorView.updateListener.of(({ docChanged, selectionSet, state }) => {
            setSearching(searchPanelOpen(state))
            if (docChanged) callbacks.current.onChange(state.doc)
            if (docChanged || selectionSet) callbacks.current.onMove?.(cursorOf(state))
          }),
        ],
      }),
    })
    editor.current = view
    if (takesFocus) view.focus()
    const isCalm = language.maxBlock === undefined || longestBlock(initial) <= language.maxBlock
    const loaded = isCalm ? language.load() : Promise.resolve([])
    loaded.then((extension) => view.dispatch({ effects: colours.reconfigure(extension) }), toastError)
    return () => view.destroy()
  }, [initial, language, label, editable, wraps, takesFocus, describedBy, marking])
  useEffect(() => {
    const attributes: Extension = isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : []
    editor.current?.dispatch({ effects: marking.reconfigure(attributes) })
  }, [isInvalid, marking])
  return <div ref={container} className={styles.editor} data-invalid={isInvalid || undefined} />
}

/**
 * Inserts text over a selection in the editor. The browser would copy the style of the replaced text as an inline style, which
 * the content security policy forbids.
 */
const typedOver: Extension = EditorView.domEventHandlers({
  beforeinput({ inputType, data }, view) {
    const { state } = view
    if (inputType !== 'insertText' || data === null || state.readOnly || state.selection.main.empty)
      return false
    view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
    return true
  },
})

const base: Extension = [
  typedOver,
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightActiveLine(),
  history(),
  drawSelection(),
  indentOnInput(),
  bracketMatching(),
  search({ top: true }),
  highlightSelectionMatches(),
  syntaxHighlighting(classHighlighter),
  EditorState.tabSize.of(4),
  keymap.of([
    { key: 'Mod-y', run: redo, preventDefault: true },
    ...searchKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab,
  ]),
]

/** Returns the length of the longest block of lines without a blank line, in characters. */
function longestBlock(text: Text): number {
  let longest = 0
  let length = 0
  for (const line of text.iterLines()) {
    length = line === '' ? 0 : length + line.length
    longest = Math.max(longest, length)
  }
  return longest
}

function cursorOf(state: EditorState): CursorPosition {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  return { line: line.number, column: head - line.from + 1 }
}
