import type { RenderedText } from './render-markdown.ts'
import styles from './MarkdownText.module.css'

/** Rendered markdown that scrolls in the room there is for it. */
export function MarkdownText({ rendered, label }: { rendered: RenderedText; label: string }) {
  return (
    <div className={styles.text} tabIndex={0} role="group" aria-label={label}>
      {rendered.isPlain ? (
        <p className={styles.note} role="note">
          This text is shown as it is written: it could not be drawn as markdown in a moment.
        </p>
      ) : null}
      {/* oxlint-disable-next-line react/no-danger -- sanitised by render-markdown */}
      <div className={styles.body} dangerouslySetInnerHTML={{ __html: rendered.html }} />
    </div>
  )
}
