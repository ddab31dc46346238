import { useEffect, useState } from 'react'
import { useCan } from '@headwater/accounts/web'
import { isRunOver, RunNote, useRun } from '@headwater/statuses/web'
import { formatNumber, Page, PageHeader, Tabs, Toolbar, UnsavedGuard, useShortcut } from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../../contract/index.ts'
import type { CreatorTab } from '../prep-links.ts'
import { followPrepRun } from '../runs.ts'
import { BasketTab } from './basket/BasketTab.tsx'
import { EntryEditor } from './basket/EntryEditor.tsx'
import { PreviewPlaceContext } from './charts/preview-place.ts'
import { ChartsTab } from './charts/ChartsTab.tsx'
import { CreatorButtons } from './CreatorButtons.tsx'
import { CreatorDialogs } from './CreatorDialogs.tsx'
import { ScheduleNote } from './ScheduleNote.tsx'
import { SettingsPanel } from './settings/SettingsPanel.tsx'
import { SymbolsTab } from './table/SymbolsTab.tsx'
import { type CreatorDialog, useCreatorActions } from './use-creator-actions.ts'
import { type CreatorPlace, useCreatorPlace } from './use-creator-place.ts'
import { usePrepDraft } from './use-prep-draft.ts'
import styles from './PrepWorkspace.module.css'

/** A data prep with more entries opens with its basket. */
const manyEntries = 30

/** A data prep in the creator: saved, or new. */
export function PrepWorkspace({ begin }: { begin: DataPrepDefinition | DataPrepDetails }) {
  const mayWrite = useCan()('DataPreps', 'RW', 'Storage')
  const place = useCreatorPlace()
  const state = usePrepDraft(begin)
  const { draft, shown, dirty, act } = state
  const [dialog, setDialog] = useState<CreatorDialog>()
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set())
  const [previewPlace, setPreviewPlace] = useState<HTMLElement | null>(null)
  const opened = draft.basket.filter(({ key }) => openKeys.has(key))
  useManyEntries(begin, place.go)

  const jobId = place.jobId ?? shown?.runningJobId
  const run = useRun(shown === undefined ? undefined : jobId)
  const job = run.data?.rootId === shown?.id ? (run.data ?? undefined) : undefined
  const isRunning = job !== undefined && !isRunOver(job)
  useEffect(() => {
    if (isRunning && shown !== undefined) void followPrepRun(job.jobId, shown, { download: false })
  }, [isRunning, job?.jobId, shown])

  const actions = useCreatorActions(state, {
    isRunning,
    setDialog,
    onStarted: (started) => place.go({ jobId: started }),
  })
  const executing = isRunning || actions.starting
  const isFree = dialog === undefined
  const mayRun = mayWrite && (shown === undefined || shown.writeAccess)
  useShortcut('mod+s', () => void actions.save(), { label: 'Save the data prep', enabled: mayRun && isFree })
  useShortcut('mod+enter', () => void actions.request({ kind: 'run', download: false }), {
    label: 'Run the data prep',
    enabled: mayRun && isFree,
  })
  useShortcut('mod+z', () => act({ type: 'undo' }), { label: 'Undo', enabled: isFree })
  const redo = () => act({ type: 'redo' })
  useShortcut('mod+shift+z', redo, { label: 'Redo', enabled: isFree })
  useShortcut('mod+y', redo, { label: 'Redo', enabled: isFree })
  useShortcut('a', () => place.go({ tab: 'Table' }), {
    label: 'Add symbols',
    enabled: isFree && place.tab !== 'Table',
  })

  const tabs: { value: CreatorTab; label: string; count?: number }[] = [
    { value: 'Table', label: 'Table' },
    { value: 'Basket', label: 'Basket', count: draft.basket.length },
    { value: 'Charts', label: 'Charts' },
  ]
  const aside =
    place.tab === 'Basket' && opened.length > 0 ? (
      <EntryEditor
        key={opened.map(({ key }) => key).join()}
        entries={opened}
        dataGroupName={draft.settings.dataGroupName}
        disabled={!mayWrite}
        onChange={act}
        onClose={() => setOpenKeys(new Set())}
      />
    ) : (
      <SettingsPanel
        settings={draft.settings}
        disabled={!mayWrite}
        onChange={(settings) => act({ type: 'set', settings })}
      />
    )
  return (
    <PreviewPlaceContext value={previewPlace}>
      <Page aside={aside} asideLabel="Settings">
        <PageHeader
          {...(shown === undefined ? {} : { title: shown.name })}
          note={noteOf(shown, dirty)}
          actions={
            <CreatorButtons
              shown={shown}
              mayWrite={mayWrite}
              mayRun={mayRun}
              dirty={dirty}
              executing={executing}
              actions={actions}
              onDialog={setDialog}
            />
          }
        />
        <Toolbar>
          <Tabs
            label="Data prep"
            value={place.tab}
            tabs={tabs}
            onChange={(tab) => place.go({ tab: tab as CreatorTab })}
          />
          <div className={styles.notes}>
            {shown === undefined ? null : (
              <ScheduleNote
                id={shown.id}
                onOpen={mayRun ? () => setDialog({ kind: 'schedule' }) : undefined}
              />
            )}
            <div ref={setPreviewPlace} className={styles.note} />
          </div>
        </Toolbar>
        {job === undefined ? null : <RunNote job={job} onClose={() => place.go({ jobId: undefined })} />}
        {place.tab === 'Table' ? (
          <SymbolsTab
            place={place}
            basket={draft.basket}
            disabled={!mayWrite}
            onChange={act}
            onPattern={(entry) => {
              act({ type: 'basket', change: (basket) => [...basket, entry] })
              setOpenKeys(new Set([entry.key]))
              place.go({ tab: 'Basket' })
            }}
          />
        ) : place.tab === 'Basket' ? (
          <BasketTab
            draft={draft}
            opened={openKeys}
            disabled={!mayWrite}
            onOpen={setOpenKeys}
            onChange={act}
            onAdd={() => place.go({ tab: 'Table' })}
          />
        ) : (
          <ChartsTab draft={draft} onAdd={() => place.go({ tab: 'Table' })} />
        )}
        <CreatorDialogs
          dialog={dialog}
          state={state}
          tab={place.tab}
          actions={actions}
          onClose={() => setDialog(undefined)}
        />
        <UnsavedGuard when={dirty && mayWrite} />
      </Page>
    </PreviewPlaceContext>
  )
}

function noteOf(shown: DataPrepDetails | undefined, dirty: boolean): string {
  if (shown === undefined) return 'not saved yet'
  const version = `v${formatNumber(shown.version)}${shown.latest ? '' : ', an older version'}`
  return dirty ? `${version} · unsaved changes` : version
}

/** A basket with many entries is what one wants to see first. */
function useManyEntries(begin: DataPrepDefinition, go: CreatorPlace['go']): void {
  const isMany = begin.symbols.length > manyEntries
  useEffect(() => {
    if (isMany) go({ tab: 'Basket' }, { replace: true })
    // once, when the data prep opens
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}
