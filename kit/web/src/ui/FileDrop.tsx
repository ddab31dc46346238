import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from './Button.tsx'
import styles from './FileDrop.module.css'

/** A place where files of the computer are dropped, or chosen with its button. */
export function FileDrop({
  label,
  text,
  buttonLabel,
  accept,
  multiple = false,
  disabled = false,
  compact = false,
  onFiles,
}: {
  /** Accessible name of what the button chooses. */
  label: string
  /** What stands before the button. */
  text: ReactNode
  buttonLabel: string
  /** What the browser offers to choose, for example `.png,.jpg`; anything may be dropped. */
  accept?: string
  /** Whether several may be chosen at once; several may be dropped anyway. */
  multiple?: boolean
  disabled?: boolean
  compact?: boolean
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
        if (!disabled) onFiles([...event.dataTransfer.files])
      }}
    >
      <span>{text}</span>
      <Button
        size="small"
        disabled={disabled}
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

/** A file that is dropped beside the place stays where it is: else the browser would leave the page and open it. */
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
