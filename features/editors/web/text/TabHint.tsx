import { isMac, Kbd } from '@headwater/web-kit'
import styles from './TabHint.module.css'

/** Describes the keys that leave an editor in which Tab indents. */
export function TabHint({ id }: { id: string }) {
  return (
    <span id={id} className={styles.hint}>
      <Kbd keys={isMac ? 'shift+alt+m' : 'mod+m'} />, then <Kbd keys="tab" /> leaves the editor
    </span>
  )
}
