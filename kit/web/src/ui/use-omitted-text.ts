import { type ClipboardEvent, type FormEvent, useState } from 'react'

/**
 * Counts the characters that a field drops from pasted text because of its maximum length. Browsers drop them silently.
 * The count resets with the next edit.
 */
export function useOmittedText(maxLength: number | undefined) {
  const [omitted, setOmitted] = useState(0)
  return {
    omitted,
    onPaste(event: ClipboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
      if (maxLength === undefined) return
      const { value, selectionStart, selectionEnd } = event.currentTarget
      const selected = (selectionEnd ?? 0) - (selectionStart ?? 0)
      const pasted = event.clipboardData.getData('text').replaceAll('\r\n', '\n')
      setOmitted(Math.max(0, value.length - selected + pasted.length - maxLength))
    },
    onInput(event: FormEvent) {
      if ((event.nativeEvent as InputEvent).inputType !== 'insertFromPaste') setOmitted(0)
    },
  }
}
