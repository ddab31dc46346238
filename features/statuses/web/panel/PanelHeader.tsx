import type { ReactNode } from 'react'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton } from '@headwater/web-kit'
import styles from './StatusesPanel.module.css'

/** The header of every mode: back button, content of the mode, close button. */
export function PanelHeader({
  children,
  onBack,
  onClose,
}: {
  children: ReactNode
  /** Opens the previous page; absent on the first page of the panel. */
  onBack?: (() => void) | undefined
  /** Closes the panel; absent if the panel is a page. */
  onClose?: (() => void) | undefined
}) {
  return (
    <div className={styles.header}>
      {onBack === undefined ? null : (
        <IconButton label="Back" icon={<IconArrowLeft size={18} stroke={1.6} />} onClick={onBack} />
      )}
      {children}
      {onClose === undefined ? null : (
        <IconButton label="Close" icon={<IconX size={18} stroke={1.6} />} onClick={onClose} />
      )}
    </div>
  )
}
