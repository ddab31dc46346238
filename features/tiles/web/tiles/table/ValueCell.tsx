import type { ReactNode } from 'react'
import { barStyle } from '../../cells/cell-bar.ts'
import { CellIcon } from '../../cells/CellIcon.tsx'
import type { CellLooks } from './cell-looks.ts'
import styles from './TableTile.module.css'

/** The value of a cell with its style, bar and icon. */
export function ValueCell({
  looks: { style, bar, icon },
  align,
  title,
  children,
}: {
  looks: CellLooks
  /** Alignment, if it differs from the column. */
  align: string | undefined
  title?: string
  children: ReactNode
}) {
  return (
    <span
      className={styles.value}
      data-align={align}
      data-bar={bar && ''}
      title={title}
      style={bar === undefined ? style : { ...style, ...barStyle(bar) }}
    >
      {icon === undefined ? null : <CellIcon icon={icon} className={styles.icon} />}
      {children}
    </span>
  )
}
