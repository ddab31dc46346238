import { Spinner } from './Spinner.tsx'
import styles from './StatusBadge.module.css'
import { type Status, statuses, statusOf } from './statuses.ts'
import { Tooltip } from './Tooltip.tsx'

/** Properties of {@link StatusBadge}. */
export interface StatusBadgeProps {
  /** The status, regardless of case. */
  status: Status | (string & {})
  /** Replaces the label of the status, for example `Ingested`. */
  text?: string
  /** Shows the icon alone; the label becomes its accessible name and tooltip. */
  iconOnly?: boolean
}

/** Shows a status: icon and label in its colour. */
export function StatusBadge({ status, text, iconOnly }: StatusBadgeProps) {
  const { label, icon: Icon, color } = statuses[statusOf(status)]
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
