import styles from './Skeleton.module.css'

export interface SkeletonProps {
  width?: number | string
  height?: number
  /** Several bars, the last one shorter. */
  lines?: number
}

/** A grey bar in the place and shape of what is being loaded. */
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
