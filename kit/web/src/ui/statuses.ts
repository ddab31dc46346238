import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import IconPlugConnectedX from '@tabler/icons-react/dist/esm/icons/IconPlugConnectedX.mjs'

/**
 * The eight statuses of jobs, `stopped` for a run that a user stopped, and `lost` for an attempt that ended because its
 * worker was lost.
 */
export type Status =
  | 'running'
  | 'paused'
  | 'completed'
  | 'error'
  | 'info'
  | 'pending'
  | 'unexecuted'
  | 'warn'
  | 'stopped'
  | 'lost'

/** Label, icon and colour of each status, on every screen. Without an icon a spinner is shown. */
export const statuses = {
  running: { label: 'Running', icon: undefined, color: 'var(--running)' },
  paused: { label: 'Paused', icon: IconPlayerPause, color: 'var(--paused)' },
  completed: { label: 'Succeeded', icon: IconCircleCheck, color: 'var(--completed)' },
  error: { label: 'Error', icon: IconExclamationCircle, color: 'var(--error)' },
  info: { label: 'Succeeded', icon: IconCheck, color: 'var(--completed)' },
  pending: { label: 'Pending', icon: IconClock, color: 'var(--pending)' },
  unexecuted: { label: 'Unexecuted', icon: IconCircleDashed, color: 'var(--pending)' },
  warn: { label: 'Warning', icon: IconAlertTriangle, color: 'var(--warn)' },
  stopped: { label: 'Stopped', icon: IconPlayerStop, color: 'var(--pending)' },
  lost: { label: 'Worker lost', icon: IconPlugConnectedX, color: 'var(--pending)' },
} satisfies Record<Status, { label: string; icon: unknown; color: string }>

/** Parses a status regardless of case; an unknown string is `unexecuted`. */
export function statusOf(text: string | null | undefined): Status {
  const known = (text ?? '').toLowerCase()
  return Object.hasOwn(statuses, known) ? (known as Status) : known === 'warning' ? 'warn' : 'unexecuted'
}

/** Returns the label of a status, regardless of case. */
export function statusLabel(status: string): string {
  return statuses[statusOf(status)].label
}

/**
 * Returns the label for the level of a log message. It differs from the status label, because a message of the level INFO is
 * not a result.
 */
export function levelLabel(level: string): string {
  if (level === 'DEBUG') return 'Debug'
  return level === 'INFO' ? 'Info' : statusLabel(level)
}
