import { useId, useState } from 'react'
import { Text } from '@codemirror/state'
import styles from './CodeField.module.css'
import { languageOf } from './languages.ts'
import { TabHint } from './TabHint.tsx'
import { TextEditor } from './TextEditor.tsx'

/** A form field with the text editor and a label. It fills the height of its container. */
export function CodeField({
  label,
  value,
  fileName,
  editable,
  error,
  onChange,
}: {
  label: string
  /** Initial code; later changes are ignored. */
  value: string
  /** A name whose extension selects the language, for example `task.py`. */
  fileName: string
  editable: boolean
  error?: string | undefined
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
