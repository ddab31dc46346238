import type { ReactNode } from 'react'
import IconCheckbox from '@tabler/icons-react/dist/esm/icons/IconCheckbox.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { formatNumber } from '@headwater/contract'
import { IconButton } from './IconButton.tsx'
import styles from './SelectionBar.module.css'
import { useEscape } from './escape.ts'
import { useFocusBack } from './focus-back.ts'

/** Properties of {@link SelectionBar}. */
export interface SelectionBarProps {
  /** Number of selected items; the bar is hidden at 0. */
  count: number
  /** Clears the selection. */
  onClear: () => void
  /** The actions, as buttons. */
  children: ReactNode
}

/**
 * The floating bar with the actions for the selection. Esc clears the selection. If the bar has the focus when it
 * disappears, the focus returns to the list.
 */
export function SelectionBar(props: SelectionBarProps) {
  return props.count === 0 ? null : <OpenBar {...props} />
}

function OpenBar({ count, onClear, children }: SelectionBarProps) {
  useEscape(true, onClear)
  useFocusBack()
  return (
    <div className={styles.position} data-selection-bar>
      <div className={styles.bar} role="toolbar" aria-label="Selection">
        <IconCheckbox size={16} stroke={1.6} aria-hidden="true" />
        <span className={styles.count} aria-live="polite">
          {formatNumber(count)} selected
        </span>
        {children}
        <IconButton label="Clear selection" icon={<IconX size={15} stroke={1.6} />} onClick={onClear} />
      </div>
    </div>
  )
}
