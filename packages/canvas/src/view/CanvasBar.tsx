import type { ReactNode } from 'react'
import IconArrowBackUp from '@tabler/icons-react/dist/esm/icons/IconArrowBackUp.mjs'
import IconArrowForwardUp from '@tabler/icons-react/dist/esm/icons/IconArrowForwardUp.mjs'
import IconHierarchy from '@tabler/icons-react/dist/esm/icons/IconHierarchy.mjs'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMessage from '@tabler/icons-react/dist/esm/icons/IconMessage.mjs'
import IconMessagePlus from '@tabler/icons-react/dist/esm/icons/IconMessagePlus.mjs'
import IconMinus from '@tabler/icons-react/dist/esm/icons/IconMinus.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useReactFlow } from '@xyflow/react'
import type { CanvasProps } from './canvas-props.ts'
import styles from './Canvas.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Buttons at the lower left: zoom, and for editors undo, redo, layout and comments. */
export function CanvasBar({
  actions,
  canUndo,
  canRedo,
  commentsVisible,
  onFit,
  onLayout,
  onAddComment,
}: Pick<CanvasProps<unknown>, 'actions' | 'canUndo' | 'canRedo' | 'commentsVisible'> & {
  onFit: () => void
  onLayout: () => void
  onAddComment: () => void
}) {
  const flow = useReactFlow()
  return (
    <div className={styles.bar} role="toolbar" aria-label="Canvas">
      <Tool label="Zoom in" icon={<IconPlus {...icon} />} onClick={() => void flow.zoomIn()} />
      <Tool label="Zoom out" icon={<IconMinus {...icon} />} onClick={() => void flow.zoomOut()} />
      <Tool label="Fit to view" icon={<IconMaximize {...icon} />} onClick={onFit} />
      {actions === undefined ? null : (
        <>
          <Tool
            label="Undo"
            icon={<IconArrowBackUp {...icon} />}
            disabled={!canUndo}
            onClick={actions.undo}
          />
          <Tool
            label="Redo"
            icon={<IconArrowForwardUp {...icon} />}
            disabled={!canRedo}
            onClick={actions.redo}
          />
          <Tool label="Arrange automatically" icon={<IconHierarchy {...icon} />} onClick={onLayout} />
          <Tool label="Add comment" icon={<IconMessagePlus {...icon} />} onClick={onAddComment} />
          <Tool
            label="Show comments"
            icon={<IconMessage {...icon} />}
            pressed={commentsVisible}
            onClick={() => actions.showComments(!commentsVisible)}
          />
        </>
      )}
    </div>
  )
}

function Tool({
  label,
  icon: picture,
  disabled = false,
  pressed,
  onClick,
}: {
  label: string
  icon: ReactNode
  disabled?: boolean
  pressed?: boolean
  onClick: () => void
}) {
  return (
    <button
      type="button"
      className={styles.tool}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {picture}
    </button>
  )
}
