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
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { classHighlighter } from '@lezer/highlight'
import { styleNonce, toastError, useEscape } from '@headwater/web-kit'
import type { Language, SqlNames } from './languages.ts'
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
  names,
  marked,
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
  /** Names that the editor completes, for SQL. Default none. */
  names?: SqlNames | undefined
  /** Position that is marked as wrong. Default none. */
  marked?: CursorPosition | undefined
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
  const [colours] = useState(() => new Compartment())
  const [isSearching, setSearching] = useState(false)
  useEscape(isSearching, () => {
    if (editor.current === undefined) return
    closeSearchPanel(editor.current)
    editor.current.focus()
  })
  useEffect(() => {
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
    return () => view.destroy()
  }, [initial, language, label, editable, wraps, takesFocus, describedBy, marking, colours])
  useEffect(() => {
    const view = editor.current
    const isCalm = language.maxBlock === undefined || longestBlock(initial) <= language.maxBlock
    if (!isCalm) return
    let isCurrent = true
    language.load(names).then((extension) => {
      if (isCurrent) view?.dispatch({ effects: colours.reconfigure(extension) })
    }, toastError)
    return () => {
      isCurrent = false
    }
    // A new editor, which the first effect creates for these values, needs the language again.
  }, [initial, language, label, editable, wraps, takesFocus, describedBy, colours, names])
  const [line, column] = [marked?.line, marked?.column]
  useEffect(() => {
    const view = editor.current
    if (view === undefined) return
    const attributes: Extension = isInvalid ? EditorView.contentAttributes.of({ 'aria-invalid': 'true' }) : []
    const range =
      line === undefined || column === undefined ? undefined : tokenAt(view.state, { line, column })
    view.dispatch({
      effects: [
        marking.reconfigure([
          attributes,
          range === undefined
            ? []
            : EditorView.decorations.of(Decoration.set(wrong.range(range.from, range.to))),
        ]),
        ...(range === undefined ? [] : [EditorView.scrollIntoView(range.from)]),
      ],
    })
  }, [isInvalid, line, column, marking])
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

const wrong = Decoration.mark({ class: 'cm-wrong' })

/** Returns the token at a position, or the character before the end of the line; undefined if there is none. */
function tokenAt(
  { doc }: EditorState,
  { line, column }: CursorPosition,
): { from: number; to: number } | undefined {
  if (line > doc.lines) return undefined
  const { from, to, text } = doc.line(line)
  // Positions count characters, and the editor counts UTF-16 units.
  const at =
    from +
    Array.from(text)
      .slice(0, column - 1)
      .join('').length
  if (from === to) return undefined
  if (at >= to) return { from: to - 1, to }
  const { length } = /^[\p{L}\p{N}_]+|^./u.exec(doc.sliceString(at, to))![0]
  return { from: at, to: at + length }
}

function cursorOf(state: EditorState): CursorPosition {
  const { head } = state.selection.main
  const line = state.doc.lineAt(head)
  return { line: line.number, column: head - line.from + 1 }
}
