import type { RenderedText } from './render-markdown.ts'
import styles from './MarkdownText.module.css'

/** Rendered markdown in a scrollable area. */
export function MarkdownText({ rendered, label }: { rendered: RenderedText; label: string }) {
  return (
    <div className={styles.text} tabIndex={0} role="group" aria-label={label}>
      {rendered.isPlain ? (
        <p className={styles.note} role="note">
          This text takes too long to render as Markdown. Its source is shown instead.
        </p>
      ) : null}
      {/* oxlint-disable-next-line react/no-danger -- sanitised by render-markdown */}
      <div className={styles.body} dangerouslySetInnerHTML={{ __html: rendered.html }} />
    </div>
  )
}
