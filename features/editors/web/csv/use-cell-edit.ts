import { useRef, useState } from 'react'
import { useEscape } from '@headwater/web-kit'

/** The edit of the active cell. */
export interface CellEdit {
  /** Text in the field; undefined while no cell is edited. */
  text: string | undefined
  /** Starts an edit, or continues it with another text. */
  begin: (text: string) => void
  /** Stores the text and ends the edit. Does nothing if no cell is being edited. */
  commit: () => void
}

/**
 * The edit of the active cell of a grid. Esc ends it without a change and never closes the tool.
 * @param onCommit receives the text
 * @param onEscape called after Esc
 */
export function useCellEdit(onCommit: (text: string) => void, onEscape: () => void): CellEdit {
  const [text, setText] = useState<string>()
  /** Whether the edit has ended. Its field loses the focus afterwards, which must not store the text. */
  const isEnded = useRef(false)
  useEscape(true, () => {
    isEnded.current = true
    setText(undefined)
    onEscape()
  })
  return {
    text,
    begin(next) {
      isEnded.current = false
      setText(next)
    },
    commit() {
      if (text === undefined || isEnded.current) return
      isEnded.current = true
      setText(undefined)
      onCommit(text)
    },
  }
}
