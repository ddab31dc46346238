import type { ComponentProps } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import styles from './Editor.module.css'

/** The button below a list of settings that adds to it; menus may open from it. */
export function AddButton({ children, ...button }: ComponentProps<'button'>) {
  return (
    <button type="button" className={styles.add} {...button}>
      <IconPlus size={15} stroke={1.6} aria-hidden="true" />
      {children}
    </button>
  )
}
