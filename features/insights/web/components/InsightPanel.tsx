import type { ReactNode } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton, useEscape } from '@headwater/web-kit'
import styles from './InsightPanel.module.css'

/** Returns whether a panel covers the tiles, as on a small screen. */
export function coversPage(): boolean {
  return window.matchMedia('(width < 768px)').matches
}

/** A panel beside the tiles of an insight, with its name; a button and Esc close it. */
export function InsightPanel({
  title,
  onClose,
  children,
}: {
  title: string
  onClose: () => void
  children: ReactNode
}) {
  useEscape(true, onClose)
  return (
    <section data-details>
      <header className={styles.head}>
        <h2>{title}</h2>
        <IconButton
          label={`Close ${title.toLowerCase()}`}
          icon={<IconX size={16} stroke={1.6} />}
          onClick={onClose}
        />
      </header>
      {children}
    </section>
  )
}
