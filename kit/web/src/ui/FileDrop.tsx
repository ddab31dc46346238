import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import { takeDrop } from './dropped-files.ts'
import styles from './FileDrop.module.css'

/** A drop area for local files and folders, with a button to choose files. */
export function FileDrop({
  label,
  text,
  buttonLabel,
  accept,
  multiple = false,
  disabled = false,
  compact = false,
  nextFocus = false,
  onFiles,
}: {
  /** Accessible name of the file input. */
  label: string
  /** Text before the button. */
  text: ReactNode
  buttonLabel: string
  /** File types that the file dialog offers, for example `.png,.jpg`; the user can drop any file. */
  accept?: string
  /** Whether the button accepts several files; the user can always drop several. */
  multiple?: boolean
  disabled?: boolean
  compact?: boolean
  /** Whether the button gets the focus in a dialog when the focused control near it disappears. */
  nextFocus?: boolean
  onFiles: (files: readonly File[]) => void
}) {
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  useKeepPage()
  return (
    <div
      className={styles.drop}
      data-over={(over && !disabled) || undefined}
      data-compact={compact || undefined}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event: DragEvent) => {
        event.preventDefault()
        setOver(false)
        if (!disabled) takeDrop(event.dataTransfer, onFiles)
      }}
    >
      <span>{text}</span>
      <Button
        size="small"
        disabled={disabled}
        data-next-focus={nextFocus || undefined}
        aria-label={`${buttonLabel}: ${label}`}
        onClick={() => input.current?.click()}
      >
        {buttonLabel}
      </Button>
      <input
        ref={input}
        type="file"
        multiple={multiple}
        accept={accept}
        hidden
        aria-label={label}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </div>
  )
}

/** Ignores files that are dropped outside the area. Otherwise the browser would leave the page and open the file. */
function useKeepPage(): void {
  useEffect(() => {
    const refuse = (event: globalThis.DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'none'
    }
    window.addEventListener('dragover', refuse)
    window.addEventListener('drop', refuse)
    return () => {
      window.removeEventListener('dragover', refuse)
      window.removeEventListener('drop', refuse)
    }
  }, [])
}
