import { useState } from 'react'
import { EditorContent, useEditor } from '@tiptap/react'
import { styleNonce } from '@headwater/web-kit'
import { LakeImageWithView } from './LakeImageView.tsx'
import { richTextParts } from './rich-text.ts'
import styles from './RichText.module.css'
import { RichTextToolbar } from './RichTextToolbar.tsx'

/** An editor of rich text for the body of an HTML page. */
export function RichText({
  initial,
  label,
  editable,
  onChange,
}: {
  /** Initial HTML fragment; later changes are ignored. */
  initial: string
  /** Accessible name. */
  label: string
  editable: boolean
  /** Called with the HTML fragment after each change. */
  onChange: (html: string) => void
}) {
  const [extensions] = useState(() => richTextParts(LakeImageWithView))
  const editor = useEditor({
    extensions,
    content: initial,
    editable,
    injectNonce: styleNonce(),
    autofocus: editable ? 'start' : false,
    editorProps: {
      attributes: { 'aria-label': label, role: 'textbox', 'aria-multiline': 'true', tabindex: '0' },
    },
    onUpdate: ({ editor: changed, transaction }) => {
      if (transaction.docChanged) onChange(changed.getHTML())
    },
  })
  if (editor === null) return null
  return (
    <div className={styles.richText}>
      {editable ? <RichTextToolbar editor={editor} /> : null}
      <EditorContent editor={editor} className={styles.page} />
    </div>
  )
}
