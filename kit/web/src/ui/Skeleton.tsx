import styles from './Skeleton.module.css'

/** Properties of {@link Skeleton}. */
export interface SkeletonProps {
  /** Width in pixels or as a CSS length. */
  width?: number | string
  /** Height in pixels. */
  height?: number
  /** Number of bars, the last one shorter. */
  lines?: number
}

/** A grey bar in the shape of the loading content. */
export function Skeleton({ width = '100%', height = 10, lines = 1 }: SkeletonProps) {
  return (
    <span className={styles.lines} aria-hidden="true">
      {Array.from({ length: lines }, (_, index) => (
        <span
          key={index}
          className={styles.bar}
          style={{ height, width: lines > 1 && index === lines - 1 ? '60%' : width }}
        />
      ))}
    </span>
  )
}
