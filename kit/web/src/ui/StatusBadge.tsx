import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { Spinner } from './Spinner.tsx'
import styles from './StatusBadge.module.css'
import { Tooltip } from './Tooltip.tsx'

/** The eight statuses of jobs, and `stopped` for a run that a user ended. */
export type Status =
  'running' | 'paused' | 'completed' | 'error' | 'info' | 'pending' | 'unexecuted' | 'warn' | 'stopped'

const table = {
  running: { label: 'Running', icon: undefined, color: 'var(--running)' },
  paused: { label: 'Paused', icon: IconPlayerPause, color: 'var(--paused)' },
  completed: { label: 'Succeeded', icon: IconCircleCheck, color: 'var(--completed)' },
  error: { label: 'Error', icon: IconExclamationCircle, color: 'var(--error)' },
  info: { label: 'Succeeded', icon: IconCheck, color: 'var(--completed)' },
  pending: { label: 'Pending', icon: IconClock, color: 'var(--pending)' },
  unexecuted: { label: 'Unexecuted', icon: IconCircleDashed, color: 'var(--pending)' },
  warn: { label: 'Warning', icon: IconAlertTriangle, color: 'var(--warn)' },
  stopped: { label: 'Stopped', icon: IconPlayerStop, color: 'var(--pending)' },
} satisfies Record<Status, { label: string; icon: unknown; color: string }>

/** Parses a status in any letter case; an unknown text is `unexecuted`. */
export function statusOf(text: string | null | undefined): Status {
  const known = (text ?? '').toLowerCase()
  return known in table ? (known as Status) : known === 'warning' ? 'warn' : 'unexecuted'
}

/** Returns the label of a status, in any letter case. */
export function statusLabel(status: string): string {
  return table[statusOf(status)].label
}

/** Properties of {@link StatusBadge}. */
export interface StatusBadgeProps {
  /** The status, in any letter case. */
  status: Status | (string & {})
  /** Replaces the label of the status, for example `Ingested`. */
  text?: string
  /** Shows the icon alone; the label becomes its accessible name and tooltip. */
  iconOnly?: boolean
}

/** Shows a status: icon and label in its colour. */
export function StatusBadge({ status, text, iconOnly }: StatusBadgeProps) {
  const { label, icon: Icon, color } = table[statusOf(status)]
  const visibleLabel = text ?? label
  const icon = Icon === undefined ? <Spinner /> : <Icon size={15} stroke={1.5} aria-hidden="true" />
  if (!iconOnly) {
    return (
      <span className={styles.badge} style={{ color }}>
        {icon}
        <span className={styles.label}>{visibleLabel}</span>
      </span>
    )
  }
  return (
    <Tooltip label={visibleLabel}>
      <span className={styles.badge} style={{ color }} role="img" aria-label={visibleLabel}>
        {icon}
      </span>
    </Tooltip>
  )
}
