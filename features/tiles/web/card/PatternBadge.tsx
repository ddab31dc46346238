import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import { Badge, Tooltip } from '@headwater/web-kit'
import styles from './RowLimitBadge.module.css'

/** Shows in the header of a tile which patterns are ignored, and why. */
export function PatternBadge({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null
  return (
    <Tooltip label={problems.join(' ')}>
      <span tabIndex={0} className={styles.note}>
        <Badge kind="warn" icon={<IconAlertTriangle size={12} stroke={1.6} />}>
          Pattern ignored
        </Badge>
      </span>
    </Tooltip>
  )
}
