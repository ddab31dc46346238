import { type KeyboardEvent, useRef, useState } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { IconButton, SearchField } from '@headwater/web-kit'
import { SearchResults } from './SearchResults.tsx'
import { useTypedAhead } from './typed-ahead.ts'
import styles from './SearchPanel.module.css'

/** The panel behind “Search all”: one field, one block of hits for each type of object. */
export default function SearchPanel({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  useTypedAhead(setText)
  const panel = useRef<HTMLDivElement>(null)
  function onKeyDown(event: KeyboardEvent) {
    const isInField = event.target instanceof HTMLInputElement
    const first = panel.current?.querySelector<HTMLElement>('a[data-hit]')
    const opens = event.key === 'Enter' && text.trim() !== ''
    if (!isInField || !first || (event.key !== 'ArrowDown' && !opens)) return
    event.preventDefault()
    if (event.key === 'ArrowDown') first.focus()
    else first.click()
  }
  return (
    <div ref={panel} className={styles.panel} onKeyDown={onKeyDown}>
      <div className={styles.head}>
        <h2 className={styles.title}>Search all</h2>
        <SearchField
          label="Search all"
          placeholder="Search by name or id"
          value={text}
          onChange={setText}
          width="100%"
          autoFocus
        />
        <IconButton label="Close" icon={<IconX size={16} stroke={1.6} />} onClick={onClose} />
      </div>
      <SearchResults text={text.trim()} onOpen={onClose} />
    </div>
  )
}
