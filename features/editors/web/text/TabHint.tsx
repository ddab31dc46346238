import { isMac, Kbd } from '@headwater/web-kit'
import styles from './TabHint.module.css'

/** By which keys an editor, in which Tab indents, gives Tab back to the page. */
export function TabHint({ id }: { id: string }) {
  return (
    <span id={id} className={styles.hint}>
      <Kbd keys={isMac ? 'shift+alt+m' : 'mod+m'} />: Tab leaves the editor
    </span>
  )
}
