import styles from './Kbd.module.css'

/** Whether this is a Mac, where the modifier is ⌘. */
export const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.userAgent)

const names: Record<string, string> = {
  mod: isMac ? '⌘' : 'Ctrl+',
  shift: isMac ? '⇧' : 'Shift+',
  alt: isMac ? '⌥' : 'Alt+',
  escape: 'Esc',
  enter: '↵',
  tab: 'Tab',
  arrowup: '↑',
  arrowdown: '↓',
}

/** Formats keys for display: `mod+k` becomes `⌘K` or `Ctrl+K`. */
function keysText(keys: string): string {
  return keys
    .split('+')
    .map((key) => names[key.toLowerCase()] ?? key.toUpperCase())
    .join('')
}

/** Shows a key or combination of keys as a key cap. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd className={styles.kbd}>{keysText(keys)}</kbd>
}
