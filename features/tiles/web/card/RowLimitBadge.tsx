import { Badge, formatNumber, Tooltip } from '@headwater/web-kit'
import { maxLoadedRows } from '../../core/series/row-limit.ts'
import styles from './RowLimitBadge.module.css'

/**
 * Shows which rows of a tile are loaded, and loads more.
 * @param onAll undefined if the page cannot load more
 */
export function RowLimitBadge({ text, onAll }: { text: string; onAll: (() => void) | undefined }) {
  const most = formatNumber(maxLoadedRows)
  if (onAll === undefined)
    return (
      <OmissionBadge
        text={text}
        hint={`A tile loads at most ${most} rows. Choose a shorter range, or read all rows over the HTTP API.`}
      />
    )
  return (
    <Tooltip label={`All series share this limit. Click to load all rows (at most ${most}).`}>
      <button type="button" className={styles.badge} onClick={onAll}>
        {text} · load all
      </button>
    </Tooltip>
  )
}

/** Shows what a tile leaves out. The hint explains why and what to do. */
export function OmissionBadge({ text, hint }: { text: string; hint: string }) {
  return (
    <Tooltip label={hint}>
      <span tabIndex={0} className={styles.note}>
        <Badge kind="warn">{text}</Badge>
      </span>
    </Tooltip>
  )
}
