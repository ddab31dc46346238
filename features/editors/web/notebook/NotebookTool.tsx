import { useMemo } from 'react'
import type { ToolProps } from '@headwater/web-kit'
import { MarkdownText } from '../markdown/MarkdownText.tsx'
import { useRenderedMarkdown } from '../markdown/use-rendered-markdown.ts'
import styles from '../markdown/MarkdownTool.module.css'
import { Code, codeParts } from '../text/CodeTool.tsx'
import type { OpenText, TextParts } from '../text/EditedText.tsx'
import { TextTool } from '../text/TextTool.tsx'
import { notebookMarkdown } from './notebook-markdown.ts'

/** Pause in typing before a long notebook is rendered, in milliseconds. */
const settledMs = 250

/** Displays a Jupyter notebook with its outputs, and its JSON beside it for users with write access. */
export default function NotebookTool(props: ToolProps) {
  return <TextTool {...props} parts={notebookParts} />
}

/** A notebook as a kind of text. */
export const notebookParts: TextParts = { ...codeParts, render: (open) => <Notebook {...open} /> }

function Notebook(open: OpenText) {
  const { fileName, text, editable } = open
  const notebook = useMemo(() => notebookMarkdown(text.toString()), [text])
  const rendered = useRenderedMarkdown(notebook?.markdown ?? '', { settledMs })
  if (notebook === undefined && !editable) return <Code {...open} />
  return (
    <div className={styles.panes}>
      {editable ? (
        <div className={styles.source}>
          <Code {...open} />
        </div>
      ) : null}
      <div className={styles.rendered}>
        {notebook === undefined ? (
          <p className={styles.note} role="note">
            No preview: a notebook is a JSON object with a list of cells.
          </p>
        ) : notebook.cells === 0 ? (
          <p className={styles.note} role="note">
            This notebook has no cells.
          </p>
        ) : notebook.displayed < notebook.cells ? (
          <p className={styles.note} role="note">
            The first {notebook.displayed.toLocaleString('en')} of {notebook.cells.toLocaleString('en')} cells
            are displayed.
          </p>
        ) : null}
        {notebook === undefined || rendered === undefined ? null : (
          <MarkdownText rendered={rendered} label={`Preview of ${fileName}`} />
        )}
      </div>
    </div>
  )
}
