import { memo, useContext, useState } from 'react'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { NodeProps } from '@xyflow/react'
import { maxCommentLength } from '../graph.ts'
import { CanvasContext } from './canvas-context.ts'
import type { CommentNode } from './flow-nodes.ts'
import styles from './Canvas.module.css'

const icon = { size: 14, stroke: 1.6, 'aria-hidden': true } as const

/** A comment: a numbered bubble, or a text box. */
export const CommentNodeView = memo(function CommentNodeView({ data }: NodeProps<CommentNode>) {
  const { comment, number } = data
  const { editable, expanded, toggleComment, changeComment, deleteComment } = useContext(CanvasContext)
  const [isFocused, setFocused] = useState(false)
  if (!expanded.has(comment.id))
    return (
      <button
        type="button"
        className={styles.bubble}
        aria-label={`Comment ${number}: ${comment.text || 'empty'}`}
        title={comment.text}
        onDoubleClick={() => toggleComment(comment.id)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          event.stopPropagation()
          toggleComment(comment.id)
        }}
      >
        {number}
      </button>
    )
  const left = maxCommentLength - comment.text.length
  return (
    <section className={styles.comment} aria-label={`Comment ${number}`}>
      <div className={styles.commentHead}>
        <span className={styles.author}>{comment.author}</span>
        <button
          type="button"
          className={styles.small}
          aria-label="Minimise comment"
          title="Minimise"
          onClick={() => toggleComment(comment.id)}
        >
          <IconMinus {...icon} />
        </button>
        {editable ? (
          <button
            type="button"
            className={styles.small}
            aria-label="Delete comment"
            title="Delete"
            onClick={() => deleteComment(comment.id)}
          >
            <IconTrash {...icon} />
          </button>
        ) : null}
      </div>
      <textarea
        className={`nodrag nowheel ${styles.text}`}
        aria-label={`Text of comment ${number}`}
        value={comment.text}
        maxLength={maxCommentLength}
        readOnly={!editable}
        rows={4}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={(event) => changeComment({ ...comment, text: event.target.value })}
      />
      {isFocused ? <span className={styles.counter}>{left} characters left</span> : null}
    </section>
  )
})
