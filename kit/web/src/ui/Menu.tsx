import type { ReactElement, ReactNode } from 'react'
import { Menu as MantineMenu } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useFocusBack } from './focus-back.ts'
import { Kbd } from './Kbd.tsx'
import styles from './Menu.module.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'

/** An action of a menu. */
export interface MenuItem {
  /** Label of the action. */
  label: string
  /** Icon before the label. */
  icon?: ReactNode
  /** Runs the action. */
  onClick?: () => void
  /** When set, the item is a link of the router. */
  href?: string
  /** Uses the danger colour. */
  danger?: boolean
  /** Disables the action. */
  disabled?: boolean
  /** Shortcut of the action, for example `mod+d`. */
  shortcut?: string
}

/** An action, or a divider between two groups of actions. */
export type MenuEntry = MenuItem | 'divider' | { heading: string }

/** Properties of {@link Menu}. */
export interface MenuProps {
  /** The button that opens the menu; must accept a ref. */
  trigger: ReactElement
  /** Actions from top to bottom. */
  items: readonly MenuEntry[]
  /** Position of the menu, default `bottom-end`. */
  position?: 'bottom-start' | 'bottom-end' | 'right-start'
}

const classNames = {
  dropdown: styles.dropdown,
  item: styles.item,
  divider: styles.divider,
  label: styles.heading,
}

/** A list of actions behind a button. */
export function Menu({ trigger, items, position = 'bottom-end' }: MenuProps) {
  return (
    <MantineMenu
      position={position}
      offset={4}
      zIndex={500}
      transitionProps={{ duration: 0 }}
      classNames={classNames}
    >
      <MantineMenu.Target>{trigger}</MantineMenu.Target>
      <MantineMenu.Dropdown>
        <Entries items={items} />
      </MantineMenu.Dropdown>
    </MantineMenu>
  )
}

/** Properties of {@link ContextMenu}. */
export interface ContextMenuProps {
  /** Actions from top to bottom. */
  items: readonly MenuEntry[]
  /** Position in pixels of the window; null when closed. */
  at: { x: number; y: number } | null
  /** Called when the menu closes. */
  onClose: () => void
}

const clickOutsideEvents = ['mousedown', 'touchstart']

/** A list of actions at the pointer. It restores the focus when it closes without a choice. */
export function ContextMenu({ items, at, onClose }: ContextMenuProps) {
  // A menu that stays in the document would open at its previous position.
  return at === null ? null : (
    <OpenContextMenu key={`${at.x} ${at.y}`} items={items} at={at} onClose={onClose} />
  )
}

function OpenContextMenu({
  items,
  at,
  onClose,
}: ContextMenuProps & { at: NonNullable<ContextMenuProps['at']> }) {
  const focusOpener = useFocusBack()
  return (
    <MantineMenu
      opened
      onClose={onClose}
      // the point it opens at has no size, and so always counts as hidden
      hideDetached={false}
      // not keydown: the key that opened it is still being handled
      clickOutsideEvents={clickOutsideEvents}
      position="bottom-start"
      offset={0}
      zIndex={500}
      transitionProps={{ duration: 0 }}
      classNames={classNames}
    >
      <MantineMenu.Target>
        <span className={styles.point} style={{ left: at.x, top: at.y }} aria-hidden="true" />
      </MantineMenu.Target>
      <MantineMenu.Dropdown>
        {/* What an entry opens gives the focus back to where it was before the menu. */}
        <Entries items={items} onChoose={focusOpener} />
      </MantineMenu.Dropdown>
    </MantineMenu>
  )
}

function Entries({ items, onChoose }: { items: readonly MenuEntry[]; onChoose?: () => void }) {
  const navigate = useNavigate()
  return items.map((entry, index) => {
    if (entry === 'divider') return <MantineMenu.Divider key={`divider-${index}`} />
    if ('heading' in entry) return <MantineMenu.Label key={entry.heading}>{entry.heading}</MantineMenu.Label>
    const { href } = entry
    return (
      <MantineMenu.Item
        key={entry.label}
        leftSection={entry.icon}
        rightSection={entry.shortcut ? <Kbd keys={entry.shortcut} /> : undefined}
        disabled={entry.disabled}
        data-danger={entry.danger || undefined}
        onClick={() => {
          onChoose?.()
          entry.onClick?.()
          if (href !== undefined) void navigate(href)
        }}
      >
        {entry.label}
      </MantineMenu.Item>
    )
  })
}
