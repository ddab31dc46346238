import { type ReactNode, useState } from 'react'
import { Tabs } from '@headwater/web-kit'
import styles from './Editor.module.css'

/** The settings of a tile in tabs. The first tab is open initially. */
export function EditorTabs<Name extends string>({
  label,
  tabs,
  open,
  onOpen,
}: {
  label: string
  /** Content of each tab, by the name of the tab. */
  tabs: Readonly<Record<Name, ReactNode>>
  /** The open tab, if the editor controls it. */
  open?: Name
  onOpen?: (name: Name) => void
}) {
  const names = Object.keys(tabs) as Name[]
  const [chosen, setChosen] = useState(names[0]!)
  const name = open ?? chosen
  return (
    <>
      <Tabs
        label={label}
        value={name}
        onChange={(next) => (onOpen ?? setChosen)(next as Name)}
        tabs={names.map((value) => ({ value, label: value }))}
      />
      <div className={styles.fields} role="tabpanel" aria-label={name}>
        {tabs[name]}
      </div>
    </>
  )
}
