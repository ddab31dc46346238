import IconBolt from '@tabler/icons-react/dist/esm/icons/IconBolt.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconDeviceFloppy from '@tabler/icons-react/dist/esm/icons/IconDeviceFloppy.mjs'
import IconDots from '@tabler/icons-react/dist/esm/icons/IconDots.mjs'
import IconDownload from '@tabler/icons-react/dist/esm/icons/IconDownload.mjs'
import IconEraser from '@tabler/icons-react/dist/esm/icons/IconEraser.mjs'
import IconFolderSymlink from '@tabler/icons-react/dist/esm/icons/IconFolderSymlink.mjs'
import IconHistory from '@tabler/icons-react/dist/esm/icons/IconHistory.mjs'
import IconPlayerPlay from '@tabler/icons-react/dist/esm/icons/IconPlayerPlay.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlayerTrackNext from '@tabler/icons-react/dist/esm/icons/IconPlayerTrackNext.mjs'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import IconRepeat from '@tabler/icons-react/dist/esm/icons/IconRepeat.mjs'
import IconShare from '@tabler/icons-react/dist/esm/icons/IconShare.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { Job } from '@headwater/statuses/contract'
import { isRunOver } from '@headwater/statuses/web'
import {
  Button,
  HeaderDivider,
  IconButton,
  links,
  Menu,
  type MenuEntry,
  StatusBadge,
  Tooltip,
  useProductConfig,
} from '@headwater/web-kit'
import type { Pipeline } from '../../contract/index.ts'
import { scheduleText } from '../schedule-text.ts'
import { exportToFile } from '../export-to-file.ts'
import styles from './Creator.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** The open dialog of the creator. */
export interface CreatorDialog {
  kind: 'run' | 'stop' | 'continue' | 'delete' | 'share' | 'unsaved'
}

/** Buttons in the header of the creator; during a run, Stop and Continue replace Run. */
export function CreatorButtons({
  pipeline,
  job,
  canRun,
  canContinue,
  canEdit,
  isSaved,
  saving,
  isEmpty,
  onSave,
  onRestore,
  onRun,
  onDialog,
  onRepeat,
  onClear,
  onSaveAs,
}: {
  pipeline: Pipeline | undefined
  job: Job | undefined
  canRun: boolean
  /** Whether the run is paused before a task that needs no approvers. */
  canContinue: boolean
  canEdit: boolean
  isSaved: boolean
  saving: boolean
  /** Whether nothing is on the canvas. */
  isEmpty: boolean
  onSave: () => void
  /** Saves the older version as the newest one. */
  onRestore: () => void
  onRun: () => void
  onDialog: (kind: 'stop' | 'continue' | 'delete' | 'share') => void
  /** Executes the visible run again, or only its tasks that did not succeed. */
  onRepeat: (part: { failedOnly: boolean }) => void
  onClear: () => void
  /** Opens the dialog that copies, renames or moves the pipeline. */
  onSaveAs: (purpose: 'copy' | 'move') => void
}) {
  const isRunning = job !== undefined && !isRunOver(job)
  const { sharingEnabled } = useProductConfig()
  const items = menuItems({
    pipeline,
    job,
    canRun,
    canEdit,
    canShare: canRun && sharingEnabled && pipeline?.canShare === true,
    isEmpty,
    onDialog,
    onRepeat,
    onClear,
    onSaveAs,
  })
  return (
    <>
      {isRunning ? <StatusBadge status={job.status} /> : null}
      {pipeline === undefined ? null : <TriggerChip pipeline={pipeline} />}
      {items.length === 0 ? null : (
        <Menu trigger={<IconButton label="More actions" icon={<IconDots {...icon} />} />} items={items} />
      )}
      {canRun ? <HeaderDivider /> : null}
      {canEdit && isSaved && pipeline?.latest === false ? (
        <Button icon={<IconRestore {...icon} />} busy={saving} onClick={onRestore}>
          {`Restore version ${pipeline.version}`}
        </Button>
      ) : canEdit ? (
        <Button icon={<IconDeviceFloppy {...icon} />} busy={saving} disabled={isSaved} onClick={onSave}>
          {isSaved ? 'Saved' : 'Save'}
        </Button>
      ) : null}
      {!canRun ? null : isRunning ? (
        <>
          <Button variant="dangerQuiet" icon={<IconPlayerStop {...icon} />} onClick={() => onDialog('stop')}>
            Stop
          </Button>
          {canContinue ? (
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
        <Button variant="primary" icon={<IconPlayerPlay {...icon} />} onClick={onRun}>
          Run
        </Button>
      )}
    </>
  )
}

/** The first schedule of a pipeline; a tooltip lists all schedules. */
function TriggerChip({ pipeline: { schedules } }: { pipeline: Pipeline }) {
  const [first] = schedules
  if (first === undefined) return null
  return (
    <Tooltip label={schedules.map(scheduleText).join('; ')}>
      <span className={styles.chip}>
        <IconClock {...icon} />
        {first.cron === '' ? first.description : first.cron} ({first.timeZone})
      </span>
    </Tooltip>
  )
}

function menuItems({
  pipeline,
  job,
  canRun,
  canEdit,
  canShare,
  isEmpty,
  onDialog,
  onRepeat,
  onClear,
  onSaveAs,
}: Pick<
  Parameters<typeof CreatorButtons>[0],
  'pipeline' | 'job' | 'canRun' | 'canEdit' | 'isEmpty' | 'onDialog' | 'onRepeat' | 'onClear' | 'onSaveAs'
> & { canShare: boolean }): MenuEntry[] {
  const hasEnded = job !== undefined && isRunOver(job)
  const isOfOtherVersion = job?.version !== undefined && job.version !== pipeline?.version
  const ofVersion = isOfOtherVersion ? ` (version ${job.version})` : ''
  const repeat = (label: string, failedOnly: boolean): MenuEntry => ({
    label,
    icon: <IconRepeat {...icon} />,
    onClick: () => onRepeat({ failedOnly }),
  })
  return [
    ...(pipeline === undefined
      ? []
      : [
          {
            label: 'Versions',
            icon: <IconHistory {...icon} />,
            href: links.pipelineVersions(pipeline.groupName, pipeline.name),
          },
          {
            label: 'Triggers',
            icon: <IconBolt {...icon} />,
            href: links.pipelineTriggers(pipeline.groupName, pipeline.name),
          },
        ]),
    ...(canRun && hasEnded ? [repeat(`Rerun all tasks${ofVersion}`, false)] : []),
    ...(canRun && hasEnded && (job.status === 'ERROR' || job.status === 'WARN')
      ? [repeat(`Rerun failed tasks${ofVersion}`, true)]
      : []),
    ...(canEdit && !isEmpty
      ? [{ label: 'Clear canvas', icon: <IconEraser {...icon} />, onClick: onClear }]
      : []),
    ...(canEdit && pipeline !== undefined
      ? [
          { label: 'Copy', icon: <IconCopy {...icon} />, onClick: () => onSaveAs('copy') },
          { label: 'Rename or move', icon: <IconFolderSymlink {...icon} />, onClick: () => onSaveAs('move') },
        ]
      : []),
    ...(canShare
      ? [{ label: 'Share', icon: <IconShare {...icon} />, onClick: () => onDialog('share') }]
      : []),
    ...(pipeline === undefined
      ? []
      : [
          {
            label: 'Export',
            icon: <IconDownload {...icon} />,
            onClick: () => void exportToFile(pipeline),
          },
        ]),
    ...(canEdit && pipeline !== undefined
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
}
