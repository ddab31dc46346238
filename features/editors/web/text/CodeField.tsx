import { useId, useState } from 'react'
import { Text } from '@codemirror/state'
import styles from './CodeField.module.css'
import { languageOf } from './languages.ts'
import { TabHint } from './TabHint.tsx'
import { TextEditor } from './TextEditor.tsx'

/** A field for code: the editor of the house with a label above. It fills the height that its place gives it. */
export function CodeField({
  label,
  value,
  fileName,
  editable,
  error,
  onChange,
}: {
  label: string
  /** The code to begin with; the field owns it from then on. */
  value: string
  /** A name whose extension says which language it is in, for example `task.py`. */
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
