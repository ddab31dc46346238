import { useId, useState } from 'react'
import { Text } from '@codemirror/state'
import styles from './CodeField.module.css'
import { languageOf, type SqlNames } from './languages.ts'
import { TabHint } from './TabHint.tsx'
import { type CursorPosition, TextEditor } from './TextEditor.tsx'

/** A form field with the text editor and a label. It fills the height of its container. */
export function CodeField({
  label,
  value,
  fileName,
  editable,
  error,
  names,
  marked = positionIn(error),
  onChange,
}: {
  label: string
  /** Initial code; later changes are ignored. */
  value: string
  /** A name whose extension selects the language, for example `task.py`. */
  fileName: string
  editable: boolean
  /** Message below the code. The editor marks a position such as `line 2, column 5` in it. */
  error?: string | undefined
  /** Names that the editor completes, for SQL. Default none. */
  names?: SqlNames | undefined
  /** Position that the editor marks as wrong. Default: that in the message. */
  marked?: CursorPosition | undefined
  onChange: (text: string) => void
}) {
  const id = useId()
  const [initial] = useState(() => Text.of(value.split(/\r\n?|\n/)))
  const language = languageOf(fileName)
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <span className={styles.label}>{label}</span>
        {editable ? <TabHint id={id} /> : null}
      </div>
      <div className={styles.box} data-invalid={error !== undefined || undefined}>
        <TextEditor
          initial={initial}
          language={language}
          label={label}
          editable={editable}
          isInvalid={error !== undefined}
          takesFocus={false}
          names={names}
          marked={marked}
          {...(editable ? { describedBy: id } : {})}
          onChange={(text) => onChange(text.toString())}
        />
      </div>
      {error === undefined ? null : (
        <p className={styles.error} role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

/** Returns the first position that a message names. */
function positionIn(message: string | undefined): CursorPosition | undefined {
  const [, line, column] = /\bline (\d+), column (\d+)/.exec(message ?? '') ?? []
  return line === undefined ? undefined : { line: Number(line), column: Number(column) }
}
