import { useEffect, useState } from 'react'
import IconPlayerStop from '@tabler/icons-react/dist/esm/icons/IconPlayerStop.mjs'
import { useCan } from '@headwater/accounts/web'
import { isRunOver, RunNote, useRun } from '@headwater/statuses/web'
import {
  Button,
  formatNumber,
  Page,
  PageHeader,
  Tabs,
  Toolbar,
  UnsavedGuard,
  useShortcut,
} from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../../contract/index.ts'
import type { CreatorTab } from '../prep-links.ts'
import { followPrepRun, stopRun } from '../runs.ts'
import { BasketTab } from './basket/BasketTab.tsx'
import { EntryEditor } from './basket/EntryEditor.tsx'
import { PreviewNoteContext } from './charts/preview-note.ts'
import { ChartsTab } from './charts/ChartsTab.tsx'
import { CreatorButtons } from './CreatorButtons.tsx'
import { CreatorDialogs } from './CreatorDialogs.tsx'
import { ScheduleNote } from './ScheduleNote.tsx'
import { SettingsPanel } from './settings/SettingsPanel.tsx'
import { SymbolsTab } from './table/SymbolsTab.tsx'
import { type CreatorDialog, useCreatorActions } from './use-creator-actions.ts'
import { type CreatorUrl, useCreatorUrl } from './use-creator-url.ts'
import { usePrepDraft } from './use-prep-draft.ts'
import styles from './PrepWorkspace.module.css'

/** Number of entries above which a data prep opens with its basket. */
const manyEntries = 30

/** Creator with a saved or new data prep. */
export function PrepWorkspace({ begin }: { begin: DataPrepDefinition | DataPrepDetails }) {
  const canWrite = useCan()('DataPreps', 'RW', 'Storage')
  const url = useCreatorUrl()
  const state = usePrepDraft(begin)
  const { draft, stored, dirty, act } = state
  const [dialog, setDialog] = useState<CreatorDialog>()
  const [openKeys, setOpenKeys] = useState<ReadonlySet<string>>(new Set())
  const [previewNote, setPreviewNote] = useState<HTMLElement | null>(null)
  const opened = draft.basket.filter(({ key }) => openKeys.has(key))
  useManyEntries(begin, url.go)

  const jobId = url.jobId ?? stored?.runningJobId
  const run = useRun(stored === undefined ? undefined : jobId)
  const job = run.data?.rootId === stored?.id ? (run.data ?? undefined) : undefined
  const isRunning = job !== undefined && !isRunOver(job)
  useEffect(() => {
    if (isRunning && stored !== undefined) void followPrepRun(job.jobId, stored, { download: false })
  }, [isRunning, job?.jobId, stored])

  const actions = useCreatorActions(state, {
    isRunning,
    setDialog,
    onStarted: (started) => url.go({ jobId: started }),
  })
  const executing = isRunning || actions.starting
  const isFree = dialog === undefined
  const canRun = canWrite && (stored === undefined || stored.writeAccess)
  useShortcut('mod+s', () => void actions.save(), { label: 'Save the data prep', enabled: canRun && isFree })
  useShortcut('mod+enter', () => void actions.request({ kind: 'run', download: false }), {
    label: 'Run the data prep',
    enabled: canRun && isFree,
  })
  useShortcut('mod+z', () => act({ type: 'undo' }), { label: 'Undo', enabled: isFree })
  const redo = () => act({ type: 'redo' })
  useShortcut('mod+shift+z', redo, { label: 'Redo', enabled: isFree })
  useShortcut('mod+y', redo, { label: 'Redo', enabled: isFree })
  useShortcut('a', () => url.go({ tab: 'Table' }), {
    label: 'Add symbols',
    enabled: isFree && url.tab !== 'Table',
  })

  const tabs: { value: CreatorTab; label: string; count?: number }[] = [
    { value: 'Table', label: 'Table' },
    { value: 'Basket', label: 'Basket', count: draft.basket.length },
    { value: 'Charts', label: 'Charts' },
  ]
  const aside =
    url.tab === 'Basket' && opened.length > 0 ? (
      <EntryEditor
        key={opened.map(({ key }) => key).join()}
        entries={opened}
        dataGroupName={draft.settings.dataGroupName}
        disabled={!canWrite}
        onChange={act}
        onClose={() => setOpenKeys(new Set())}
      />
    ) : (
      <SettingsPanel
        settings={draft.settings}
        disabled={!canWrite}
        onChange={(settings) => act({ type: 'set', settings })}
      />
    )
  return (
    <PreviewNoteContext value={previewNote}>
      <Page aside={aside} asideLabel="Settings">
        <PageHeader
          {...(stored === undefined ? {} : { title: stored.name })}
          note={noteOf(stored, dirty)}
          actions={
            <CreatorButtons
              stored={stored}
              canWrite={canWrite}
              canRun={canRun}
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
            value={url.tab}
            tabs={tabs}
            onChange={(tab) => url.go({ tab: tab as CreatorTab })}
          />
          <div className={styles.notes}>
            {stored === undefined ? null : (
              <ScheduleNote
                id={stored.id}
                onOpen={canRun ? () => setDialog({ kind: 'schedule' }) : undefined}
              />
            )}
            <div ref={setPreviewNote} className={styles.note} />
          </div>
        </Toolbar>
        {job === undefined ? null : (
          <RunNote
            job={job}
            actions={
              canRun ? <StopButton onStop={() => stopRun(job.jobId).then(() => run.refetch())} /> : null
            }
            onClose={() => url.go({ jobId: undefined })}
          />
        )}
        {url.tab === 'Table' ? (
          <SymbolsTab
            url={url}
            basket={draft.basket}
            disabled={!canWrite}
            onChange={act}
            onPattern={(entry) => {
              act({ type: 'basket', change: (basket) => [...basket, entry] })
              setOpenKeys(new Set([entry.key]))
              url.go({ tab: 'Basket' })
            }}
          />
        ) : url.tab === 'Basket' ? (
          <BasketTab
            draft={draft}
            opened={openKeys}
            disabled={!canWrite}
            onOpen={setOpenKeys}
            onChange={act}
            onAdd={() => url.go({ tab: 'Table' })}
          />
        ) : (
          <ChartsTab draft={draft} onAdd={() => url.go({ tab: 'Table' })} />
        )}
        <CreatorDialogs
          dialog={dialog}
          state={state}
          tab={url.tab}
          actions={actions}
          onClose={() => setDialog(undefined)}
        />
        <UnsavedGuard when={dirty && canWrite} />
      </Page>
    </PreviewNoteContext>
  )
}

function noteOf(stored: DataPrepDetails | undefined, dirty: boolean): string {
  if (stored === undefined) return 'not saved yet'
  const version = `v${formatNumber(stored.version)}${stored.latest ? '' : ', an older version'}`
  return dirty ? `${version} · unsaved changes` : version
}

/** Stops the run in progress. */
function StopButton({ onStop }: { onStop: () => Promise<unknown> }) {
  const [isStopping, setStopping] = useState(false)
  return (
    <Button
      size="small"
      icon={<IconPlayerStop size={14} stroke={1.6} />}
      busy={isStopping}
      onClick={() => {
        setStopping(true)
        void onStop().finally(() => setStopping(false))
      }}
    >
      Stop
    </Button>
  )
}

/** Opens the basket if it has many entries. */
function useManyEntries(begin: DataPrepDefinition, go: CreatorUrl['go']): void {
  const isMany = begin.symbols.length > manyEntries
  useEffect(() => {
    if (isMany) go({ tab: 'Basket' }, { replace: true })
    // Runs once, when the data prep opens.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
}
