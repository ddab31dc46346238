import styles from './TileGrid.module.css'
import { TileSkeleton } from '@headwater/tiles/web'

/** Placeholder while an insight loads. */
export function TileGridSkeleton() {
  return (
    <div className={styles.grid} aria-busy="true">
      <div className={styles.waiting} data-width="full">
        <TileSkeleton shape="chart" />
      </div>
      <div className={styles.waiting}>
        <TileSkeleton shape="chart" />
      </div>
      <div className={styles.waiting}>
        <TileSkeleton shape="rows" />
      </div>
    </div>
  )
}
