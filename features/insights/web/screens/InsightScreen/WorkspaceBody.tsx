import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import { DraftNote } from '@headwater/accounts/web'
import { Button, EmptyState, lazyPart, Skeleton } from '@headwater/web-kit'
import { headerBoxesOf } from '@headwater/tile-data/core'
import { PartFrame } from '../../components/PartFrame.tsx'
import { TileGrid } from '../../components/TileGrid.tsx'
import { footerButtonsOf } from '../../footer/footer-button.ts'
import { HeaderBoxes } from '../../lazy-parts.ts'
import { InfoBar } from './InfoBar.tsx'
import { ScrollToTile } from './ScrollToTile.tsx'
import type { InsightTemplate, Workspace } from './use-workspace.ts'
import styles from './InsightWorkspace.module.css'

const FooterButtons = lazyPart(() => import('../../footer/FooterButtons.tsx'))
const GuideOffer = lazyPart(() => import('../../guide/GuideOffer.tsx'))

/** The content of the page: notices, summary boxes, tiles and footer buttons. */
export function WorkspaceBody({
  workspace,
  template,
}: {
  workspace: Workspace
  template: InsightTemplate | undefined
}) {
  const { stored, content, editing, state, select, panels, tiles } = workspace
  const { selectedId } = state.draft
  const boxes = headerBoxesOf(content)
  const buttons = footerButtonsOf(content)
  return (
    <>
      {editing || stored === undefined ? null : <InfoBar insight={stored} hasParams={panels.hasParams} />}
      {state.restored === undefined ? null : (
        <DraftNote className={styles.bar} time={state.restored.time} onDiscard={workspace.discardRestored} />
      )}
      {template === undefined || stored !== undefined ? null : (
        <div className={styles.bar}>
          <p className={styles.description}>{template.description}</p>
        </div>
      )}
      {boxes.length > 0 ? (
        <PartFrame waiting={<Skeleton height={74} />}>
          <HeaderBoxes boxes={boxes} editing={editing} selectedId={selectedId} onSelect={select} />
        </PartFrame>
      ) : null}
      {content.tiles.length === 0 ? (
        <NoTiles workspace={workspace} />
      ) : (
        <TileGrid
          content={content}
          editing={editing}
          selectedId={selectedId}
          actions={editing ? { ...tiles.actions, onSelect: select } : tiles.actions}
          isNew={stored === undefined}
        />
      )}
      <ScrollToTile tiles={content.tiles} block={editing ? 'nearest' : 'start'} />
      {buttons.length > 0 ? (
        <PartFrame>
          <FooterButtons
            buttons={buttons}
            tiles={content.tiles}
            editing={editing}
            selectedId={selectedId}
            onSelect={select}
            onTile={workspace.goToTile}
            onShowResults={panels.hasParams ? workspace.showResults : undefined}
          />
        </PartFrame>
      ) : null}
    </>
  )
}

/** Empty state of an insight without tiles. */
function NoTiles({ workspace }: { workspace: Workspace }) {
  const { editing, canEdit, guide } = workspace
  const edit = <Button onClick={workspace.startEditing}>Edit the insight</Button>
  const offer = (
    <PartFrame>
      <GuideOffer onStart={() => workspace.showGuide(0)} onDecline={guide.end} />
    </PartFrame>
  )
  return (
    <div data-guide="tiles">
      <EmptyState
        icon={<IconLayoutDashboard size={20} stroke={1.6} />}
        title="This insight has no tiles"
        action={workspace.offersGuide ? offer : editing || !canEdit ? undefined : edit}
      >
        {editing ? 'Add a chart, a table or text from the panel.' : 'Its author has not added any yet.'}
      </EmptyState>
    </div>
  )
}
