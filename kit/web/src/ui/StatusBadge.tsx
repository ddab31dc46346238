import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconCircleCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconCircleDashed from '@tabler/icons-react/dist/esm/icons/IconCircleDashed.mjs'
import IconClock from '@tabler/icons-react/dist/esm/icons/IconClock.mjs'
import IconExclamationCircle from '@tabler/icons-react/dist/esm/icons/IconExclamationCircle.mjs'
import IconPlayerPause from '@tabler/icons-react/dist/esm/icons/IconPlayerPause.mjs'
import { Spinner } from './Spinner.tsx'
import styles from './StatusBadge.module.css'
import { Tooltip } from './Tooltip.tsx'

/** The eight statuses of everything that runs. */
export type Status = 'running' | 'paused' | 'completed' | 'error' | 'info' | 'pending' | 'unexecuted' | 'warn'

const table = {
  running: { word: 'Running', icon: undefined, color: 'var(--running)' },
  paused: { word: 'Paused', icon: IconPlayerPause, color: 'var(--paused)' },
  completed: { word: 'Completed', icon: IconCircleCheck, color: 'var(--completed)' },
  error: { word: 'Error', icon: IconExclamationCircle, color: 'var(--error)' },
  info: { word: 'Succeeded', icon: IconCheck, color: 'var(--completed)' },
  pending: { word: 'Pending', icon: IconClock, color: 'var(--pending)' },
  unexecuted: { word: 'Unexecuted', icon: IconCircleDashed, color: 'var(--pending)' },
  warn: { word: 'Warning', icon: IconAlertTriangle, color: 'var(--warn)' },
} satisfies Record<Status, { word: string; icon: unknown; color: string }>

/** The status a text names, in any letter case; an unknown text is `unexecuted`. */
export function statusOf(text: string | null | undefined): Status {
  const known = (text ?? '').toLowerCase()
  return known in table ? (known as Status) : known === 'warning' ? 'warn' : 'unexecuted'
}

export interface StatusBadgeProps {
  status: Status | (string & {})
  /** Shown instead of the status's own word, for example `Ingested`. */
  text?: string
  /** Shows the icon alone; the word becomes its name and tooltip. */
  iconOnly?: boolean
}

/** A status: icon and word in the colour of the status. */
export function StatusBadge({ status, text, iconOnly }: StatusBadgeProps) {
  const { word, icon: Icon, color } = table[statusOf(status)]
  const shown = text ?? word
  const icon = Icon === undefined ? <Spinner /> : <Icon size={15} stroke={1.5} aria-hidden="true" />
  if (!iconOnly) {
    return (
      <span className={styles.badge} style={{ color }}>
        {icon}
        <span className={styles.word}>{shown}</span>
      </span>
    )
  }
  return (
    <Tooltip label={shown}>
      <span className={styles.badge} style={{ color }} role="img" aria-label={shown}>
        {icon}
      </span>
    </Tooltip>
  )
}
