import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconPlayerTrackNext from '@tabler/icons-react/dist/esm/icons/IconPlayerTrackNext.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import { Button, HeaderDivider, IconButton, links, Menu, type MenuEntry } from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Confirmation dialogs of the page of a pipeline. */
export type PipelineDialog = 'run' | 'stop' | 'continue' | 'delete'

/** Buttons in the header of a pipeline; during a run, Stop and Continue replace Run. */
export function PipelineButtons({
  pipeline,
  job,
  canRun,
  onDialog,
  onRepeat,
}: {
  pipeline: Pipeline
  job: Job | undefined
  /** Whether the user can run pipelines, and stop and continue their runs. */
  canRun: boolean
  onDialog: (dialog: PipelineDialog) => void
  /** Executes the visible run again, or only its tasks that did not succeed. */
  onRepeat: (part: { failedOnly: boolean }) => void
}) {
  const isRunning = job !== undefined && !isRunOver(job)
  const hasFailed = job?.status === 'ERROR' || job?.status === 'WARN'
  const more: MenuEntry[] = [
    {
      label: 'Versions',
      icon: <IconHistory {...icon} />,
      href: links.pipelineVersions(pipeline.groupName, pipeline.name),
    },
    ...(canRun && job !== undefined && !isRunning
      ? [
          {
            label: 'Run all tasks of this run again',
            icon: <IconRepeat {...icon} />,
            onClick: () => onRepeat({ failedOnly: false }),
          },
          ...(hasFailed
            ? [
                {
                  label: 'Run failed tasks again',
                  icon: <IconRepeat {...icon} />,
                  onClick: () => onRepeat({ failedOnly: true }),
                },
              ]
            : []),
        ]
      : []),
    ...(canRun && pipeline.writeAccess
      ? [
          {
            label: 'Delete',
            icon: <IconTrash {...icon} />,
            danger: true,
            onClick: () => onDialog('delete'),
          },
        ]
      : []),
  ]
  return (
    <>
      <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={more} />
      {canRun ? <HeaderDivider /> : null}
      {!canRun ? null : isRunning ? (
        <>
          <Button icon={<IconPlayerStop {...icon} />} onClick={() => onDialog('stop')}>
            Stop
          </Button>
          {job.status === 'PAUSED' ? (
            <Button
              variant="primary"
              icon={<IconPlayerTrackNext {...icon} />}
              onClick={() => onDialog('continue')}
            >
              Continue
            </Button>
          ) : null}
        </>
      ) : (
        <Button variant="primary" icon={<IconPlayerPlay {...icon} />} onClick={() => onDialog('run')}>
          Run
        </Button>
      )}
    </>
  )
}
