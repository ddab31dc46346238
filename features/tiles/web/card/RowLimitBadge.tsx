import { Badge, formatNumber, Tooltip } from '@headwater/web-kit'
import { maxLoadedRows } from '../../core/series/row-limit.ts'
import styles from './RowLimitBadge.module.css'

/**
 * Says which of its rows a tile has, and loads more.
 * @param onAll undefined when the page loads no more
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

/** Says what of its data a tile leaves out; the hint says why, and what to do. */
export function OmissionBadge({ text, hint }: { text: string; hint: string }) {
  return (
    <Tooltip label={hint}>
      <span tabIndex={0} className={styles.note}>
        <Badge kind="warn">{text}</Badge>
      </span>
    </Tooltip>
  )
}
