import { maxLoadedRows, maxPublicRows } from '@headwater/tile-data/core'
import { useChoosable } from '@headwater/tile-data/web'
import { Badge, formatNumber, Tooltip } from '@headwater/web-kit'
import styles from './RowLimitBadge.module.css'

/**
 * Shows which rows of a tile are loaded, and loads more.
 * @param ofFile whether a file provides the rows; all its rows can be loaded, without a limit
 * @param onAll undefined if the page cannot load more
 */
export function RowLimitBadge({
  text,
  ofFile,
  onAll,
}: {
  text: string
  ofFile: boolean
  onAll: (() => void) | undefined
}) {
  const { limited, range } = useChoosable()
  const hints = rowLimitHints({ ofFile, isVisitor: limited, canChooseRange: range })
  if (onAll === undefined) return <OmissionBadge text={text} hint={hints.all} />
  return (
    <Tooltip label={hints.more}>
      <button type="button" className={styles.badge} onClick={onAll}>
        {text} · load all
      </button>
    </Tooltip>
  )
}

/**
 * Returns the texts about a row limit. `more`: the user can load more rows; `all`: the tile has loaded as many rows as a
 * page can load.
 * @param given `canChooseRange`: whether the user can choose a shorter range
 */
export function rowLimitHints(given: { ofFile: boolean; isVisitor: boolean; canChooseRange: boolean }): {
  more: string
  all: string
} {
  const { ofFile, isVisitor, canChooseRange } = given
  const most = formatNumber(isVisitor ? maxPublicRows : maxLoadedRows)
  const advice = isVisitor
    ? canChooseRange
      ? ' Choose a shorter range.'
      : ''
    : ' Choose a shorter range, or read all rows over the HTTP API.'
  return {
    more: ofFile
      ? 'Click to load all rows of the file.'
      : `All series share this limit. Click to load all rows (at most ${most}).`,
    all: `${isVisitor ? 'A tile of a public view' : 'A tile'} loads at most ${most} rows.${advice}`,
  }
}

/** Shows what a tile omits. The hint explains why and what to do. */
export function OmissionBadge({ text, hint }: { text: string; hint: string }) {
  return (
    <Tooltip label={hint}>
      <span tabIndex={0} className={styles.note}>
        <Badge kind="warn">{text}</Badge>
      </span>
    </Tooltip>
  )
}
