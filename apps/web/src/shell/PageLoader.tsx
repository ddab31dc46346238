import { Logo, Progress } from '@headwater/web-kit'
import styles from './PageLoader.module.css'

/** The screen that is shown until the page can render: the logo and a moving bar. */
export function PageLoader({ label = 'Loading' }: { label?: string }) {
  return (
    <div className={styles.page} role="status" aria-label={label}>
      <Logo />
      <div className={styles.bar}>
        <Progress label={label} />
      </div>
    </div>
  )
}
