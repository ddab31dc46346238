import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import IconEyeOff from '@tabler/icons-react/dist/esm/icons/IconEyeOff.mjs'
import IconInfoCircle from '@tabler/icons-react/dist/esm/icons/IconInfoCircle.mjs'
import IconMaximize from '@tabler/icons-react/dist/esm/icons/IconMaximize.mjs'
import IconMinimize from '@tabler/icons-react/dist/esm/icons/IconMinimize.mjs'
import { tileSizeOf } from '@headwater/tile-data/contract'
import { Badge, IconButton, type MenuEntry, Tooltip, lazyPart, PartBoundary } from '@headwater/web-kit'
import { OwnRangeBadge } from './OwnRangeBadge.tsx'
import { useExportHost } from '../exports/tile-exports.ts'
import type { CardExtras, CardProps } from '../tiles/tile-view.ts'
import { TileMenu } from './TileMenu.tsx'
import { sizePercent } from './tile-size.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useNearViewport } from './use-near-viewport.ts'
import styles from './TileCard.module.css'

// Only the builder needs these parts.
const DragHandle = lazyPart(() => import('./DragHandle.tsx'))
const EditActions = lazyPart(() => import('./EditActions.tsx'))
const ResizeHandles = lazyPart(() => import('./ResizeHandles.tsx'))

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

/** Whether a tile has come near the viewport, and whether it is visible. */
const NearContext = createContext({ near: true, visible: true })

/** Returns whether the enclosing tile has come near the viewport, and whether it is visible. */
export function useTileNear(): { near: boolean; visible: boolean } {
  return useContext(NearContext)
}

/** The frame of a tile on the page. Its content can read whether it is near the viewport. */
export function TileFrame({
  card,
  startsInView,
  children,
}: {
  card: CardProps
  /** Whether the tile is visible before scrolling; then it loads at once. */
  startsInView: boolean
  children: ReactNode
}) {
  const frame = useRef<HTMLDivElement>(null)
  const seen = useNearViewport(frame, startsInView)
  const { wholeInsight } = useExportHost()
  const near = useMemo(() => (wholeInsight ? { ...seen, near: true } : seen), [seen, wholeInsight])
  const { tile, editing } = card
  const { tileWidth, tileHeight } = tileSizeOf(tile)
  /** Selects the tile, except for clicks on header buttons and their menus. */
  function select({ target }: { target: EventTarget }) {
    const isInside = target instanceof Element && frame.current?.contains(target) === true
    if (isInside && target.closest('[data-tile-actions]') === null) card.onSelect()
  }
  return (
    <div
      ref={frame}
      className={styles.frame}
      data-tile-id={tile.id}
      data-drop={card.drop}
      data-dragged={card.dragged || undefined}
      data-resizing={card.resize !== undefined || undefined}
      data-width={tileWidth}
      data-height={tileHeight}
      onClickCapture={editing ? select : undefined}
      onFocusCapture={editing ? select : undefined}
    >
      <NearContext value={near}>{children}</NearContext>
      {editing ? (
        <PartBoundary fallback={null}>
          <ResizeHandles card={card} />
        </PartBoundary>
      ) : null}
    </div>
  )
}

/** Elements of the header that the content of a tile renders into; null while they do not exist. */
const HeaderContext = createContext<{
  badges: HTMLElement | null
  actions: HTMLElement | null
  /** Receives the menu entries of the content. */
  onMenu: (items: readonly MenuEntry[]) => void
}>({ badges: null, actions: null, onMenu: () => undefined })

/** The card of a tile: title, badges and actions, with the content below. */
export function TileCard({
  card,
  heading,
  children,
}: {
  card: CardProps
  /** Visible heading. */
  heading: string
  children: ReactNode
}) {
  const { tile, editing, selected } = card
  const titleId = useId()
  const [badges, setBadges] = useState<HTMLElement | null>(null)
  const [actions, setActions] = useState<HTMLElement | null>(null)
  const [menu, setMenu] = useState<readonly MenuEntry[]>(noEntries)
  const frame = useRef<HTMLElement>(null)
  const { full, toggle, focus } = useFullScreen(frame)
  const header = useMemo(() => ({ badges, actions, onMenu: setMenu }), [badges, actions])
  const fullScreen = fullScreenEntry(full, toggle)
  return (
    <section
      ref={frame}
      tabIndex={-1}
      className={styles.card}
      aria-labelledby={titleId}
      data-selected={(editing && selected) || undefined}
      data-full={full || undefined}
      {...focus}
    >
      <header className={styles.head}>
        {editing ? (
          <PartBoundary fallback={<span className={styles.handle} />}>
            <DragHandle card={card} />
          </PartBoundary>
        ) : null}
        <h2 id={titleId} className={styles.title} title={heading}>
          {heading}
        </h2>
        <TitleTooltip card={card} />
        {editing ? (
          <div className={styles.badges}>
            {selected ? <Badge>{sizePercent(tileSizeOf(tile))}</Badge> : null}
            {tile.hidden === true ? <Badge icon={<IconEyeOff size={12} stroke={1.6} />}>Hidden</Badge> : null}
          </div>
        ) : null}
        <OwnRangeBadge tile={tile} />
        {editing && selected ? null : <div className={styles.badges} ref={setBadges} />}
        <div className={styles.actions} data-tile-actions>
          {editing && selected ? null : <div className={styles.slot} ref={setActions} />}
          {editing ? (
            <PartBoundary fallback={null}>
              <EditActions
                card={card}
                heading={heading}
                full={full}
                toggle={toggle}
                fullScreen={fullScreen}
              />
            </PartBoundary>
          ) : (
            <TileMenu heading={heading} items={[...menu, ...(menu.length > 0 ? divider : []), fullScreen]} />
          )}
          {full ? (
            <IconButton label="Leave full screen" icon={<IconMinimize {...icon} />} onClick={toggle} />
          ) : null}
        </div>
      </header>
      <div className={styles.body}>
        <HeaderContext value={header}>{children}</HeaderContext>
      </div>
    </section>
  )
}

const noEntries: readonly MenuEntry[] = []
const divider = ['divider'] as const

/** Adds badges, actions and menu entries to the header of the card. */
export function TileHeader({ badges, actions, menu = noEntries }: CardExtras) {
  const header = useContext(HeaderContext)
  const { onMenu } = header
  // The menu belongs to the card, so that it stays open when data arrive.
  useEffect(() => onMenu(menu), [onMenu, menu])
  useEffect(() => () => onMenu(noEntries), [onMenu])
  return (
    <>
      {header.badges ? createPortal(badges, header.badges) : null}
      {header.actions ? createPortal(actions, header.actions) : null}
    </>
  )
}

function fullScreenEntry(full: boolean, toggle: () => void): MenuEntry {
  return {
    label: full ? 'Leave full screen' : 'Full screen',
    icon: full ? <IconMinimize {...icon} /> : <IconMaximize {...icon} />,
    shortcut: 'f',
    onClick: toggle,
  }
}

/** The explanation of the title: a text and an optional link. */
function TitleTooltip({ card: { tile } }: { card: CardProps }) {
  if (tile.titleTooltip !== true || typeof tile.titleTooltipText !== 'string' || tile.titleTooltipText === '')
    return null
  const address = webAddress(tile.titleTooltipUrl)
  const sign = <IconInfoCircle size={14} stroke={1.6} aria-hidden="true" />
  return (
    <Tooltip label={tile.titleTooltipText}>
      {address === undefined ? (
        <span role="img" tabIndex={0} className={styles.info} aria-label={tile.titleTooltipText}>
          {sign}
        </span>
      ) : (
        <a
          className={styles.info}
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={tile.titleTooltipText}
        >
          {sign}
        </a>
      )}
    </Tooltip>
  )
}

/** Returns an http or https address; undefined for other stored values. */
function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined
  const { protocol, href } = new URL(value)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}
