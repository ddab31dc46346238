import { useId, useMemo } from 'react'
import { getMarkdown } from '@headwater/files/contract'
import { saveMarkdownVersion } from '@headwater/files/web'
import type { ToolProps } from '@headwater/web-kit'
import { languageOf } from '../text/languages.ts'
import { TabHint } from '../text/TabHint.tsx'
import { TextEditor } from '../text/TextEditor.tsx'
import type { OpenText, TextParts } from '../text/EditedText.tsx'
import { TextTool } from '../text/TextTool.tsx'
import { MarkdownText } from './MarkdownText.tsx'
import styles from './MarkdownTool.module.css'
import { useRenderedMarkdown } from './use-rendered-markdown.ts'

/** Maximum number of rendered characters. */
const maxCharacters = 500_000
/** Pause in typing before a long text is rendered, in milliseconds. */
const settledMs = 250

/** Displays a markdown file, with an editor beside it for users with write access. */
export default function MarkdownTool(props: ToolProps) {
  return <TextTool {...props} parts={markdownParts} />
}

/** Markdown as a kind of text. */
export const markdownParts: TextParts = {
  render: (open) => <Markdown {...open} />,
  calls: { content: getMarkdown, saveVersion: saveMarkdownVersion },
}

function Markdown({ fileName, initial, text, editable, onChange }: OpenText) {
  const source = useMemo(() => text.sliceString(0, maxCharacters), [text])
  const rendered = useRenderedMarkdown(source, { settledMs })
  const hintId = useId()
  return (
    <div className={styles.panes}>
      {editable ? (
        <div className={styles.source}>
          <TextEditor
            initial={initial}
            language={languageOf(fileName)}
            label={`Text of ${fileName}`}
            editable
            isInvalid={false}
            wraps
            describedBy={hintId}
            onChange={onChange}
          />
          <p className={styles.foot}>
            <TabHint id={hintId} />
          </p>
        </div>
      ) : null}
      <div className={styles.rendered}>
        {text.length > maxCharacters ? (
          <p className={styles.note} role="note">
            The first {maxCharacters.toLocaleString('en-US')} characters are displayed.
          </p>
        ) : null}
        {rendered === undefined ? null : (
          <MarkdownText rendered={rendered} label={`Preview of ${fileName}`} />
        )}
      </div>
    </div>
  )
}
