import {
  cloneElement,
  type MouseEvent,
  type ReactElement,
  type ReactNode,
  useEffect,
  useId,
  useState,
} from 'react'
import { ErrorBoundary } from '../shell/ErrorBoundary.tsx'
import { lazyPart, PartBoundary } from '../shell/lazy-part.ts'
import { toast } from '../ui/toasts.ts'

const loadList = () => import('./MenuList.tsx')
const MenuList = lazyPart(async () => ({ default: (await loadList()).MenuList }))
const ContextMenuList = lazyPart(async () => ({ default: (await loadList()).ContextMenuList }))

/** An action of a menu. */
export interface MenuItem {
  /** Label of the action. */
  label: string
  /** Icon before the label. */
  icon?: ReactNode
  /** Runs the action. */
  onClick?: () => void
  /** If set, the item is a router link. */
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

/** Properties of a button that opens a menu. */
interface TriggerProps {
  onClick?: (event: MouseEvent<HTMLElement>) => void
}

/** Properties of {@link Menu}. */
export interface MenuProps {
  /** The button that opens the menu. */
  trigger: ReactElement<TriggerProps>
  /** Actions from top to bottom. */
  items: readonly MenuEntry[]
  /** Position of the menu, default `bottom-end`. */
  position?: 'bottom-start' | 'bottom-end' | 'right-start'
}

/** A list of actions behind a button. The code of the list loads when the page is idle, or when the menu opens. */
export function Menu({ trigger, items, position = 'bottom-end' }: MenuProps) {
  const id = useId()
  const [target, setTarget] = useState<HTMLElement>()
  const [opened, setOpened] = useState(false)
  useEffect(() => MenuList.preloadWhenIdle(), [])
  const button: object = {
    id: `${id}-target`,
    'aria-haspopup': 'menu',
    'aria-expanded': opened,
    'aria-controls': opened ? `${id}-dropdown` : undefined,
    'data-expanded': opened || undefined,
    onClick(event: MouseEvent<HTMLElement>) {
      trigger.props.onClick?.(event)
      setTarget(event.currentTarget)
      setOpened(!opened)
    },
  }
  const close = () => setOpened(false)
  return (
    <>
      {cloneElement(trigger, button)}
      {target === undefined ? null : (
        <ListBoundary isOpen={opened} onMissing={close}>
          <MenuList {...{ id, target, items, position, opened }} onClose={close} />
        </ListBoundary>
      )}
    </>
  )
}

/** Shows an error if the code of the list cannot be loaded. The next attempt to open the menu loads it again. */
function ListBoundary({
  isOpen,
  onMissing,
  children,
}: {
  isOpen: boolean
  onMissing: () => void
  children: ReactNode
}) {
  return (
    <ErrorBoundary
      resetKey={String(isOpen)}
      fallback={() => (isOpen ? <MissingList onMissing={onMissing} /> : null)}
    >
      <PartBoundary fallback={null}>{children}</PartBoundary>
    </ErrorBoundary>
  )
}

function MissingList({ onMissing }: { onMissing: () => void }) {
  useEffect(() => {
    toast({ kind: 'error', title: 'The menu could not be loaded. Check your connection and try again.' })
    onMissing()
    // oxlint-disable-next-line react/exhaustive-deps -- once for each failure
  }, [])
  return null
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

/** A list of actions at the pointer. It restores the focus when it closes without a choice. */
export function ContextMenu({ items, at, onClose }: ContextMenuProps) {
  // If the menu stayed in the document, it would open at its previous position.
  return at === null ? null : (
    <ListBoundary key={`${at.x} ${at.y}`} isOpen onMissing={onClose}>
      <ContextMenuList items={items} at={at} onClose={onClose} />
    </ListBoundary>
  )
}
