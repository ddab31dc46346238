import type { SeriesRange } from '../../contract/series/series-range.ts'
import styles from './RowLimitBadge.module.css'

/** Says that older rows were left out, and gets them. */
export function RowLimitBadge({ range, onAll }: { range: SeriesRange; onAll: () => void }) {
  return (
    <button type="button" className={styles.badge} onClick={onAll}>
      newest {range.absoluteSize?.toLocaleString('en-US')} rows · load all
    </button>
  )
}
