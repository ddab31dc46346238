import { useState } from 'react'
import { Button, lazyPart, PartBoundary } from '@headwater/web-kit'
import type { PausedTask } from './EditFileDialog.tsx'

const EditFileDialog = lazyPart(() => import('./EditFileDialog.tsx'))

/** Button that edits a file of a paused run before its task starts. */
export function EditFileButton({
  task,
  onDone = () => {},
}: {
  task: PausedTask
  /** Called after the server has accepted the decision. */
  onDone?: () => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" aria-label={`Edit a file for ${task.name}`} onClick={() => setOpen(true)}>
        Edit a file
      </Button>
      {isOpen ? (
        <PartBoundary fallback={null}>
          <EditFileDialog task={task} onClose={() => setOpen(false)} onDone={onDone} />
        </PartBoundary>
      ) : null}
    </>
  )
}
