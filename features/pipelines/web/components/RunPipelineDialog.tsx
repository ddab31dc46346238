import { useRef, useState } from 'react'
import { Checkbox, ConfirmDialog } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { usePipelineCalls } from '../pipelines-client.ts'
import { showStartedRun } from '../runs/follow-run.ts'

/** Confirms a run, twice for a version other than the newest; then starts and follows it. */
export function RunPipelineDialog({
  pipeline,
  hasRun = false,
  onClose,
  onStarted,
}: {
  pipeline: Pipeline
  /** Whether there is an earlier run, whose results can be reused for unchanged tasks. Default false. */
  hasRun?: boolean
  onClose: () => void
  onStarted?: (jobId: string) => void
}) {
  const calls = usePipelineCalls()
  const [isAccepted, setAccepted] = useState(pipeline.latest)
  const [changedOnly, setChangedOnly] = useState(false)
  const proceeds = useRef(false)
  if (!isAccepted)
    return (
      <ConfirmDialog
        key="version"
        open
        title="Pipeline's version is not latest"
        confirmLabel="Proceed"
        onConfirm={() => {
          proceeds.current = true
          setAccepted(true)
        }}
        onClose={() => {
          if (!proceeds.current) onClose()
        }}
      >
        The pipeline you are trying to execute has more recent version. Do you want to proceed?
      </ConfirmDialog>
    )
  return (
    <ConfirmDialog
      key="run"
      open
      title="Run pipeline"
      confirmLabel="Run"
      onClose={onClose}
      onConfirm={async () => {
        const jobId = await calls.run(pipeline.id, pipeline.version, changedOnly ? { changedOnly } : {})
        showStartedRun(jobId, pipeline)
        onStarted?.(jobId)
      }}
    >
      Are you sure you want to run the pipeline?
      {hasRun ? (
        <Checkbox
          label="Run only changed tasks"
          hint="Tasks that succeeded in your last run and have not changed since keep their results."
          checked={changedOnly}
          onChange={setChangedOnly}
        />
      ) : null}
    </ConfirmDialog>
  )
}
