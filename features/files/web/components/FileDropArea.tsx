import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { takeDrop } from '@headwater/web-kit'
import styles from './FileDropArea.module.css'

/** Accepts files and folders that are dropped anywhere on a page. */
export function FileDropArea({
  children,
  onFiles,
  disabled,
}: {
  children: ReactNode
  onFiles: (files: readonly File[]) => void
  disabled: boolean
}) {
  const [over, setOver] = useState(false)
  // Entering a child fires before leaving its parent, so the depth shows when the pointer has left the area.
  const depth = useRef(0)
  const hasFiles = (event: DragEvent) => !disabled && event.dataTransfer.types.includes('Files')
  return (
    <div
      className={styles.area}
      onDragEnter={(event) => {
        if (!hasFiles(event)) return
        depth.current += 1
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return
        depth.current -= 1
        if (depth.current === 0) setOver(false)
      }}
      onDragOver={(event) => {
        if (event.defaultPrevented || !event.dataTransfer.types.includes('Files')) return
        // Otherwise the browser would leave the page and open the file.
        event.preventDefault()
        if (disabled) event.dataTransfer.dropEffect = 'none'
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        depth.current = 0
        setOver(false)
        takeDrop(event.dataTransfer, onFiles)
      }}
    >
      {children}
      {over ? <div className={styles.veil}>Drop files to upload them</div> : null}
    </div>
  )
}
