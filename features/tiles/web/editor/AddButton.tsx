import type { ComponentProps } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import styles from './Editor.module.css'

/** The button that adds an entry to a list of settings. It can open a menu. */
export function AddButton({ children, ...button }: ComponentProps<'button'>) {
  return (
    <button type="button" className={styles.add} {...button}>
      <IconPlus size={15} stroke={1.6} aria-hidden="true" />
      {children}
    </button>
  )
}
