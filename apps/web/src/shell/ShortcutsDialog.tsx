import { Dialog, Kbd, useShortcuts } from '@headwater/web-kit'
import styles from './ShortcutsDialog.module.css'

const always = [
  { keys: 'escape', label: 'Close the topmost panel' },
  { keys: 'arrowdown', label: 'Next row of a list' },
  { keys: 'arrowup', label: 'Previous row of a list' },
  { keys: 'enter', label: 'Open the row' },
]

/** The shortcuts that work on the current page. */
export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useShortcuts()
  const listed = [...new Map([...always, ...shortcuts].map((shortcut) => [shortcut.keys, shortcut])).values()]
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className={styles.list}>
        {listed.map(({ keys, label }) => (
          <div key={keys} className={styles.row}>
            <dt>{label}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
