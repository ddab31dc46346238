import { useSession } from '@headwater/accounts/web'
import { ConfirmDialog, message } from '@headwater/web-kit'
import { usePipelineCalls } from '../pipelines-client.ts'

/** A run that a dialog stops or continues. */
export interface ControlledRun {
  /** Id of its job. */
  jobId: string
  /** Id of its pipeline; undefined for a single task. */
  pipelineId: string | undefined
}

/** Screens with different texts: the creator and the lists, and the monitor (docs/decisions/0107-monitor-and-run-texts.md). */
export type RunTexts = 'creator' | 'monitor'

const stopTexts = {
  creator: {
    dialog: 'Are you sure you want to terminate the pipeline?',
    toast: 'Pipeline run has been terminated.',
  },
  monitor: {
    dialog: 'Are you sure you want to stop the running pipeline? Your progress will not be saved.',
    toast: 'Pipeline has been terminated.',
  },
} as const

/** Message after the start of a run, by screen. */
export const startedTexts = {
  creator: 'Pipeline has been run.',
  monitor: 'Your pipeline is running.',
} as const

/** Confirms the stop or continuation of a run. */
export function RunDialogs({
  dialog,
  run,
  texts,
  onClose,
  onDone,
}: {
  /** The open dialog; undefined closes both. */
  dialog: 'stop' | 'continue' | undefined
  run: ControlledRun
  texts: RunTexts
  onClose: () => void
  /** Called after the server has accepted the request. */
  onDone?: () => void
}) {
  const calls = usePipelineCalls()
  const { userName } = useSession()
  return (
    <>
      <ConfirmDialog
        open={dialog === 'stop'}
        title="Stop pipeline"
        confirmLabel="Stop"
        danger
        onClose={onClose}
        onConfirm={async () => {
          await calls.stop(run.pipelineId, run.jobId)
          message(stopTexts[texts].toast)
          onDone?.()
        }}
      >
        {stopTexts[texts].dialog}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'continue'}
        title="Continue pipeline"
        confirmLabel="Continue"
        onClose={onClose}
        onConfirm={async () => {
          await calls.continue(userName, run.jobId)
          message('Pipeline run has been continued.')
          onDone?.()
        }}
      >
        Are you sure you want to continue the pipeline?
      </ConfirmDialog>
    </>
  )
}
