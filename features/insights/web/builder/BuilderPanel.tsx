import { type ReactNode, useEffect, useRef } from 'react'
import { lazyPart, Select, Skeleton, useShortcut } from '@headwater/web-kit'
import {
  chartSyncOf,
  type ChartSync,
  type InsightContent,
  type Tile,
  type TileDataPrep,
} from '@headwater/tiles/contract'
import { CommonFields, tileKindOf, useOffersWorkflows } from '@headwater/tiles/web'
import { PartFrame } from '../components/PartFrame.tsx'
import styles from './BuilderPanel.module.css'
import { dataPrepOf, headerBoxesOf } from '@headwater/tiles/core'
import { newId } from './new-id.ts'
import { hasRoomFor, type NewPart } from './new-part.ts'
import {
  newChartKinds,
  newDataKinds,
  newParts,
  newPartsHeading,
  type NewTileKind,
  newWorkflowKinds,
} from './new-tile-kinds.tsx'
import { footerButtonsOf, withFooterButtons } from '../footer/footer-button.ts'

const HeaderBoxEditor = lazyPart(() => import('../header-boxes/HeaderBoxEditor.tsx'))
const FooterButtonEditor = lazyPart(() => import('../footer/FooterButtonEditor.tsx'))

interface PanelProps extends PartProps {
  content: InsightContent
  selectedId: string | undefined
  /** Whether adding what is selected was the last change. */
  isAdded: boolean
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  onAdd: (kind: NewTileKind) => void
  onAddPart: (part: NewPart) => void
  onChange: (id: string, fields: Partial<Tile>, topic?: string) => void
  onChangeData: (id: string, dataPrep: TileDataPrep, fields?: Partial<Tile>) => void
  onReplace: (id: string, tile: Tile, dataPrep: TileDataPrep) => void
  onImport: (id: string) => void
}

interface PartProps {
  /** Sets fields of the definition that are not tiles; changes of one topic in a row are one step to undo. */
  onContent: (fields: Partial<InsightContent>, topic?: string) => void
  onSelect: (id: string | undefined) => void
}

/** The panel at the right of the builder: the settings of the selected tile, or what can be added. */
export function BuilderPanel(props: PanelProps) {
  const { selectedId, onSelect } = props
  const panel = useRef<HTMLDivElement>(null)
  const before = useRef(selectedId)
  const focus = () => panel.current?.querySelector('h2')?.focus({ preventScroll: true })
  useShortcut('s', focus, { label: 'Go to the settings' })
  useShortcut(
    'f6',
    () => {
      if (panel.current?.contains(document.activeElement)) focusSelected()
      else focus()
    },
    { label: 'Switch between the selected tile and its settings' },
  )
  useShortcut(
    'a',
    () => {
      onSelect(undefined)
      focus()
    },
    { label: 'Add a tile' },
  )
  useEffect(() => {
    if (before.current === selectedId) return
    before.current = selectedId
    // what was selected by a button or an entry that has gone leaves the focus nowhere
    if (document.activeElement === null || document.activeElement === document.body) focus()
  }, [selectedId])
  return (
    <div ref={panel} data-guide="settings">
      <SettingsPanel {...props} />
    </div>
  )
}

/** Puts the focus on what is selected on the page: a tile, a box or a button. */
function focusSelected(): void {
  document.querySelector('[data-selected]')?.querySelector<HTMLElement>('button, a, [tabindex]')?.focus()
}

function SettingsPanel({
  content,
  selectedId,
  isAdded,
  isPicking,
  onPicking,
  onAdd,
  onAddPart,
  onChange,
  onChangeData,
  onReplace,
  onImport,
  onContent,
  onSelect,
}: PanelProps) {
  const tile = content.tiles.find(({ id }) => id === selectedId)
  if (tile === undefined)
    return (
      <PartPanel content={content} selectedId={selectedId} onContent={onContent} onSelect={onSelect}>
        <AddList content={content} onAdd={onAdd} onAddPart={onAddPart} onContent={onContent} />
      </PartPanel>
    )
  const kind = tileKindOf(tile)
  const commonFields = (
    <CommonFields
      tile={tile}
      onChange={(fields, topic) => onChange(tile.id, fields, topic)}
      onImport={() => onImport(tile.id)}
    />
  )
  if (kind === undefined)
    return (
      <PanelFrame title={tile.type}>
        <div className={styles.fields}>{commonFields}</div>
      </PanelFrame>
    )
  const { Editor, label } = kind
  return (
    <PanelFrame title={label(tile)}>
      <PartFrame resetKey={`${tile.id} ${tile.type}`} waiting={<Skeleton lines={8} />}>
        <Editor
          key={tile.id}
          tile={tile}
          dataPrep={dataPrepOf(content, tile.id)}
          onChange={(fields, topic) => onChange(tile.id, fields, topic)}
          onChangeData={(dataPrep, fields) => onChangeData(tile.id, dataPrep, fields)}
          onReplace={(next, dataPrep) => onReplace(tile.id, next, dataPrep)}
          {...{ isAdded, isPicking, onPicking }}
          commonFields={commonFields}
        />
      </PartFrame>
    </PanelFrame>
  )
}

/** The settings of the selected header box or footer button; without one what stands inside. */
function PartPanel({
  content,
  selectedId,
  onContent,
  onSelect,
  children,
}: PartProps & { content: InsightContent; selectedId: string | undefined; children: ReactNode }) {
  const boxes = headerBoxesOf(content)
  const buttons = footerButtonsOf(content)
  const box = boxes.find(({ id }) => id === selectedId)
  const button = buttons.find(({ id }) => id === selectedId)
  if (box !== undefined)
    return (
      <PanelFrame title="Summary box">
        <PartFrame resetKey={box.id} waiting={<Skeleton lines={8} />}>
          <HeaderBoxEditor
            key={box.id}
            {...{ box, boxes, newId, onSelect }}
            onBoxes={(headerBoxes, topic) => onContent({ headerBoxes }, topic)}
          />
        </PartFrame>
      </PanelFrame>
    )
  if (button !== undefined)
    return (
      <PanelFrame title="Footer button">
        <PartFrame resetKey={button.id} waiting={<Skeleton lines={8} />}>
          <FooterButtonEditor
            key={button.id}
            {...{ button, buttons, newId, onSelect }}
            tiles={content.tiles}
            onButtons={(next, topic) => onContent(withFooterButtons(content, next), topic)}
          />
        </PartFrame>
      </PanelFrame>
    )
  return children
}

function PanelFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <>
      <h2 tabIndex={-1} className={styles.title}>
        {title}
      </h2>
      {children}
    </>
  )
}

function AddList({
  content,
  onAdd,
  onAddPart,
  onContent,
}: {
  content: InsightContent
  onAdd: (kind: NewTileKind) => void
  onAddPart: (part: NewPart) => void
  onContent: PartProps['onContent']
}) {
  const workflows = useOffersWorkflows()
  return (
    <PanelFrame title="Add a tile">
      <p className={styles.hint}>
        {content.tiles.length > 0
          ? 'Select a tile to edit it, or add one.'
          : 'An insight consists of tiles. Start with one of these.'}
      </p>
      <ul className={styles.kinds} aria-label="Kinds of tiles">
        <li>
          <span className={styles.heading}>Chart</span>
          <div className={styles.kinds}>
            {newChartKinds.map((kind) => (
              <KindButton key={kind.id} {...kind} onAdd={() => onAdd(kind.id)} />
            ))}
          </div>
        </li>
        {[...newDataKinds, ...(workflows ? newWorkflowKinds : [])].map((kind) => (
          <li key={kind.id}>
            <KindButton {...kind} onAdd={() => onAdd(kind.id)} />
          </li>
        ))}
      </ul>
      <h3 className={styles.parts}>{newPartsHeading}</h3>
      <ul className={styles.kinds}>
        {newParts.map((part) => (
          <li key={part.id}>
            <KindButton {...part} disabled={!hasRoomFor(content, part.id)} onAdd={() => onAddPart(part.id)} />
          </li>
        ))}
      </ul>
      <h3 className={styles.parts}>The insight</h3>
      <div className={styles.fields}>
        <Select
          label="Cursor and zoom of charts"
          value={chartSyncOf(content)}
          options={syncs}
          onChange={(chartSync) => onContent({ chartSync })}
        />
      </div>
    </PanelFrame>
  )
}

const syncs: { value: ChartSync; label: string }[] = [
  { value: 'OFF', label: 'Separate for each chart' },
  { value: 'CURSOR', label: 'Shared cursor' },
  { value: 'CURSOR_AND_ZOOM', label: 'Shared cursor and zoom' },
]

function KindButton({
  label,
  text,
  icon,
  disabled,
  onAdd,
}: {
  label: string
  text: string
  icon: ReactNode
  disabled?: boolean
  onAdd: () => void
}) {
  return (
    <button type="button" className={styles.kind} disabled={disabled} onClick={onAdd}>
      {icon}
      <span>
        {label}
        <small>{text}</small>
      </span>
    </button>
  )
}
