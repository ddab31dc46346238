import { type ReactNode, useEffect, useRef } from 'react'
import IconLayoutBottombar from '@tabler/icons-react/dist/esm/icons/IconLayoutBottombar.mjs'
import IconLayoutNavbar from '@tabler/icons-react/dist/esm/icons/IconLayoutNavbar.mjs'
import { lazyPart, Skeleton, useShortcut } from '@headwater/web-kit'
import type { InsightContent, Tile, TileDataPrep } from '../../contract/index.ts'
import { CommonFields } from '../components/CommonFields.tsx'
import { PartFrame } from '../components/PartFrame.tsx'
import styles from './BuilderPanel.module.css'
import { dataPrepOf } from './draft.ts'
import { newId } from './new-id.ts'
import { newChartKinds, newDataKinds, newWorkflowKinds, type NewTileKind } from './new-tile-kinds.tsx'
import {
  footerButtonsOf,
  maxFooterButtons,
  newFooterButton,
  withFooterButtons,
} from '../footer/footer-button.ts'
import { headerBoxesOf, maxHeaderBoxes, newHeaderBox } from '../header-boxes/header-box.ts'
import { tileKindOf } from '../tiles/tile-kinds.ts'
import { useSeesWorkflows } from '../tiles/visible-tiles.ts'

const HeaderBoxEditor = lazyPart(() => import('../header-boxes/HeaderBoxEditor.tsx'))
const FooterButtonEditor = lazyPart(() => import('../footer/FooterButtonEditor.tsx'))
const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const

interface PanelProps extends PartProps {
  content: InsightContent
  selectedId: string | undefined
  onAdd: (kind: NewTileKind) => void
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
    <div ref={panel}>
      <SettingsPanel {...props} />
    </div>
  )
}

function SettingsPanel({
  content,
  selectedId,
  onAdd,
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
        <AddList content={content} onAdd={onAdd} onContent={onContent} onSelect={onSelect} />
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
  onContent,
  onSelect,
}: PartProps & { content: InsightContent; onAdd: (kind: NewTileKind) => void }) {
  const workflows = useSeesWorkflows()
  const boxes = headerBoxesOf(content)
  const buttons = footerButtonsOf(content)
  function addBox() {
    const box = newHeaderBox(newId(), boxes)
    onContent({ headerBoxes: [...boxes, box] })
    onSelect(box.id)
  }
  function addButton() {
    const button = newFooterButton(newId(), buttons)
    onContent(withFooterButtons(content, [...buttons, button]))
    onSelect(button.id)
  }
  return (
    <PanelFrame title="Add a tile">
      <p className={styles.hint}>
        {content.tiles.length > 0
          ? 'Select a tile to change it, or add one.'
          : 'An insight is made of tiles. Begin with one of these.'}
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
      <h3 className={styles.parts}>Above and below the tiles</h3>
      <ul className={styles.kinds}>
        <li>
          <KindButton
            label="Summary box"
            text="A title with a text or a figure, above the tiles."
            icon={<IconLayoutNavbar {...icon} />}
            disabled={boxes.length >= maxHeaderBoxes}
            onAdd={addBox}
          />
        </li>
        <li>
          <KindButton
            label="Footer button"
            text="Shows results, downloads, opens a page or a tile."
            icon={<IconLayoutBottombar {...icon} />}
            disabled={buttons.length >= maxFooterButtons}
            onAdd={addButton}
          />
        </li>
      </ul>
    </PanelFrame>
  )
}

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
