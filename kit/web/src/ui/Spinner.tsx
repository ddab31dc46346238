import styles from './Spinner.module.css'

/** A rotating ring. Always place it beside text. */
export function Spinner({ size = 14 }: { size?: number }) {
  return (
    <svg
      className={styles.spinner}
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden="true"
    >
      <path d="M8 1.8a6.2 6.2 0 1 0 6.2 6.2" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  )
}
