import { useEffect, useLayoutEffect, useState } from 'react'
import { Menu as MantineMenu } from '@mantine/core'
import { useNavigate } from 'react-router'
import { useFocusBack } from '../ui/focus-back.ts'
import { Kbd } from '../ui/Kbd.tsx'
import type { ContextMenuProps, MenuEntry, MenuProps } from './Menu.tsx'
import styles from './Menu.module.css'
import '@mantine/core/styles/UnstyledButton.layer.css'
import '@mantine/core/styles/Popover.layer.css'
import '@mantine/core/styles/Menu.layer.css'

const classNames = {
  dropdown: styles.dropdown,
  item: styles.item,
  divider: styles.divider,
  label: styles.heading,
}

/** Properties of {@link MenuList}. */
export interface MenuListProps extends Required<Pick<MenuProps, 'items' | 'position'>> {
  /** Id of the menu; its button has the same id with the suffix `-target`. */
  id: string
  /** The button of the menu. */
  target: HTMLElement
  /** Whether the menu is open. */
  opened: boolean
  /** Called when the menu closes. */
  onClose: () => void
}

/**
 * Renders the list of a menu. The button is already in the document. If the user opens the menu with the keyboard, its first
 * action gets the focus.
 */
export function MenuList({ id, target, items, position, opened, onClose }: MenuListProps) {
  // The menu restores the focus only if it was closed at its first render.
  const [state, setState] = useState({ isOpen: false, isByKeyboard: false })
  useEffect(
    // oxlint-disable-next-line react/set-state-in-effect -- the second render is the purpose
    () => setState({ isOpen: opened, isByKeyboard: target.matches(':focus-visible') }),
    [opened, target],
  )
  return (
    <MantineMenu
      id={id}
      opened={state.isOpen}
      // Without the placeholder, the first action gets the focus.
      withInitialFocusPlaceholder={!state.isByKeyboard}
      onClose={onClose}
      position={position}
      offset={4}
      zIndex={500}
      transitionProps={{ duration: 0 }}
      classNames={classNames}
    >
      <MantineMenu.Target>
        <TargetReference element={target} />
      </MantineMenu.Target>
      <MantineMenu.Dropdown>
        {/* A dialog that an entry opens restores the focus to the button of the menu. */}
        <Entries items={items} onChoose={() => target.focus()} />
      </MantineMenu.Dropdown>
    </MantineMenu>
  )
}

/** Passes an element that is already in the document to the ref of a target. */
function TargetReference({
  element,
  ref,
}: {
  element: HTMLElement
  ref?: (element: HTMLElement | null) => void
}) {
  useLayoutEffect(() => {
    ref?.(element)
    return () => ref?.(null)
  }, [element, ref])
  return null
}

const clickOutsideEvents = ['mousedown', 'touchstart']

/** The list of a context menu. */
export function ContextMenuList({
  items,
  at,
  onClose,
}: ContextMenuProps & { at: NonNullable<ContextMenuProps['at']> }) {
  const focusOpener = useFocusBack()
  const [isByKeyboard] = useState(() => document.activeElement?.matches(':focus-visible') ?? false)
  return (
    <MantineMenu
      opened
      withInitialFocusPlaceholder={!isByKeyboard}
      onClose={onClose}
      // The target has no size and therefore always counts as hidden.
      hideDetached={false}
      // This is not keydown, because the key that opened the menu is still being handled.
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
        {/* A dialog that an entry opens restores the focus to the opener of the menu. */}
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
