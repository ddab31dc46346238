import { type ReactNode, useEffect } from 'react'
import {
  lazyPart,
  Page,
  PageHeader,
  Skeleton,
  UnsavedGuard,
  useFocusOnPage,
  useSlot,
} from '@headwater/web-kit'
import type { InsightContent } from '@headwater/tile-data/contract'
import { draftRoute, InsightDataProvider } from '@headwater/tile-data/web'
import { RefreshTimesContext, useNewRefreshTimes } from '@headwater/tiles/web'
import type { Insight } from '../../../contract/index.ts'
import { PartFrame } from '../../components/PartFrame.tsx'
import { TileGridSkeleton } from '../../components/TileGridSkeleton.tsx'
import { useFrameHeight } from '../../embedding/use-frame-height.ts'
import { BuilderPanel, ParamsPanel, preloadBuilder, preloadBuilderWhenIdle } from '../../lazy-parts.ts'
import { insightFrames } from '../../slots.ts'
import { storedRoute } from './stored-route.ts'
import { type InsightTemplate, useWorkspace, type Workspace } from './use-workspace.ts'
import { WorkspaceBody } from './WorkspaceBody.tsx'
import { WorkspaceHeader } from './WorkspaceHeader.tsx'

const BasketPanel = lazyPart(() => import('../../basket/BasketPanel.tsx'))
const BuilderGuide = lazyPart(() => import('../../guide/BuilderGuide.tsx'))
const WorkspaceDialogs = lazyPart(() => import('./WorkspaceDialogs.tsx'))

/** The page of an insight: a view for readers, or the builder. */
export function InsightWorkspace({
  saved,
  template,
}: {
  /** The stored insight; undefined for a new one. */
  saved: Insight | undefined
  /** The template of a new insight. */
  template?: InsightTemplate
}) {
  const workspace = useWorkspace(saved, template)
  const { stored, content, editing, canEdit, dialog, guide, state, panels } = workspace
  const times = useNewRefreshTimes()
  useFrameHeight()
  useFocusOnPage(editing)
  useFocusOnPage(workspace.offersGuide)
  useEffect(() => {
    if (editing) preloadBuilder()
    return canEdit ? preloadBuilderWhenIdle() : undefined
  }, [editing, canEdit])
  useEffect(() => (canEdit ? WorkspaceDialogs.preloadWhenIdle() : undefined), [canEdit])
  const hasSelection = editing && state.draft.selectedId !== undefined
  return (
    <RefreshTimesContext value={times}>
      <InsightDataProvider
        name={stored}
        author={stored?.owner}
        content={content}
        route={stored !== undefined && content === stored.content ? storedRoute(stored) : draftRoute}
        basket={editing ? undefined : workspace.basket}
        followsUrlRange={!editing}
      >
        <Frames insight={stored} content={content} editing={editing} isFree={dialog.current === undefined}>
          <Page
            aside={asideOf(workspace)}
            asideLabel={asideLabels[panels.open ?? 'none']}
            onBackground={hasSelection ? () => workspace.select(undefined) : undefined}
          >
            <PageHeader
              {...(template === undefined ? {} : { title: 'New insight' })}
              note={
                editing
                  ? stored === undefined
                    ? 'not saved yet'
                    : `editing · v${stored.version}`
                  : undefined
              }
              actions={<WorkspaceHeader workspace={workspace} />}
            />
            <WorkspaceBody workspace={workspace} template={template} />
          </Page>
        </Frames>
      </InsightDataProvider>
      <ConfigurationInput workspace={workspace} />
      {dialog.wasOpened ? (
        <PartFrame onClose={() => dialog.open(undefined)}>
          <WorkspaceDialogs workspace={workspace} description={template?.description ?? ''} />
        </PartFrame>
      ) : null}
      {guide.step !== undefined && editing && dialog.current === undefined ? (
        <PartFrame>
          <BuilderGuide step={guide.step} onStep={workspace.showGuide} onEnd={guide.end} />
        </PartFrame>
      ) : null}
      <UnsavedGuard when={state.dirty} view="edit" />
    </RefreshTimesContext>
  )
}

const asideLabels = { params: 'Parameters', basket: 'Basket', none: 'Settings' } as const

/** The open panel on the right of the page; undefined if none is open. */
function asideOf(workspace: Workspace): ReactNode {
  const { editing, panels } = workspace
  const panel = {
    params: (
      <ParamsPanel
        editing={editing}
        onContent={workspace.setContent}
        onClose={panels.closeParams}
        onUncover={panels.close}
      />
    ),
    // Authors and readers have separate panels, so that unapplied changes do not pass from one to the other.
    basket: <BasketPanel key={String(editing)} onApply={workspace.applyBasket} onClose={panels.close} />,
    none: editing ? <BuilderPanel workspace={workspace} /> : undefined,
  }[panels.open ?? 'none']
  return (
    panel && (
      <PartFrame resetKey={panels.open} waiting={<Skeleton lines={8} />}>
        {panel}
      </PartFrame>
    )
  )
}

/** The hidden file input for the configuration of a tile. */
function ConfigurationInput({ workspace: { tiles } }: { workspace: Workspace }) {
  return (
    <input
      id={tiles.fileInputId}
      type="file"
      accept="application/json,.json"
      hidden
      aria-label="Configuration file"
      onChange={(event) => {
        void tiles.importFile(event.target.files?.[0])
        event.target.value = ''
      }}
    />
  )
}

/** The wrappers that later features add around the page. */
function Frames({
  children,
  ...about
}: {
  insight: Insight | undefined
  content: InsightContent
  editing: boolean
  isFree: boolean
  children: ReactNode
}) {
  const frames = useSlot(insightFrames)
  return (
    <PartFrame
      waiting={
        <Page>
          <TileGridSkeleton />
        </Page>
      }
    >
      {frames.reduceRight(
        (inner, Frame) => (
          <Frame {...about}>{inner}</Frame>
        ),
        children,
      )}
    </PartFrame>
  )
}
