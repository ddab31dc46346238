import { useState } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs'
import IconRestore from '@tabler/icons-react/dist/esm/icons/IconRestore.mjs'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  links,
  message,
  notLoadedReason,
  Page,
  PageHeader,
  redirectState,
  Skeleton,
  Tabs,
  Toolbar,
  useInfiniteList,
} from '@headwater/web-kit'
import { listInsightVersions, maxVersionsPage, type Insight } from '../../contract/index.ts'
import { noTileActions } from '../components/no-tile-actions.ts'
import { TileGrid } from '../components/TileGrid.tsx'
import { type InsightName, useInsight } from '../insights-client.ts'
import { InsightDataProvider, draftRoute } from '@headwater/tile-data/web'
import { ContentDiffView } from './ContentDiffView.tsx'
import { VersionList } from './VersionList.tsx'
import { useInsightVersion, useRestore } from './versions-client.ts'

const tabs = [
  { value: 'changes', label: 'Changes' },
  { value: 'view', label: 'Preview' },
]

/** The versions of an insight, with a preview, the changes and a way to restore each. */
export default function VersionsScreen() {
  const { groupName = '', insightName = '', version } = useParams()
  const name = { groupName, insightName }
  const insight = useInsight(name)
  if (insight.error !== null) {
    const reason = notLoadedReason('Insight', insight.error)
    return <Navigate to={links.insightList()} state={redirectState(reason)} replace />
  }
  return (
    <Versions
      key={`${groupName}/${insightName}`}
      name={name}
      latest={insight.data}
      chosen={version === undefined ? undefined : Number(version)}
    />
  )
}

function Versions({
  name,
  latest,
  chosen,
}: {
  name: InsightName
  latest: Insight | undefined
  chosen: number | undefined
}) {
  const navigate = useNavigate()
  const restore = useRestore(name)
  const [tab, setTab] = useState('changes')
  const [confirming, setConfirming] = useState(false)
  const list = useInfiniteList(listInsightVersions, { params: name }, { pageSize: maxVersionsPage })
  const version = chosen ?? latest?.version
  const before = list.rows?.find((row) => row.version < (version ?? 0))
  const selected = useInsightVersion(name, version)
  const old = useInsightVersion(name, before?.version)
  const page = links.insight(name.groupName, name.insightName)
  const isLatest = version === latest?.version

  async function onRestore() {
    if (latest === undefined || version === undefined) return
    await restore(version, latest.fid)
    message(`Version ${version} restored.`)
    void navigate(page)
  }
  return (
    <Page
      asideLabel="Versions"
      aside={
        <VersionList
          list={list}
          chosen={version}
          onChoose={(next) => void navigate(`${page}/Versions/${next}`, { replace: true })}
        />
      }
    >
      <PageHeader
        title={version === undefined ? 'Versions' : `Version ${version}`}
        actions={
          <>
            <Button icon={<IconArrowLeft size={16} stroke={1.6} aria-hidden="true" />} href={page}>
              Back
            </Button>
            {latest?.writeAccess && !isLatest && selected.data !== undefined ? (
              <Button
                variant="primary"
                icon={<IconRestore size={16} stroke={1.6} aria-hidden="true" />}
                onClick={() => setConfirming(true)}
              >
                Restore
              </Button>
            ) : null}
          </>
        }
      />
      <Toolbar>
        <Tabs label="This version" value={tab} onChange={setTab} tabs={tabs} />
      </Toolbar>
      {selected.error !== null ? (
        <ErrorState
          title="This version cannot be displayed"
          error={selected.error}
          onRetry={() => void selected.refetch()}
        />
      ) : selected.data === undefined || list.rows === undefined ? (
        <Skeleton lines={10} />
      ) : tab === 'view' ? (
        <InsightDataProvider
          author={selected.data.owner}
          content={selected.data.content}
          route={draftRoute}
          basket={undefined}
        >
          <TileGrid
            content={selected.data.content}
            editing={false}
            selectedId={undefined}
            actions={noTileActions}
          />
        </InsightDataProvider>
      ) : before === undefined ? (
        <EmptyState title="The first version">No earlier version to compare with.</EmptyState>
      ) : old.data === undefined ? (
        old.error === null ? (
          <Skeleton lines={10} />
        ) : (
          <EmptyState title="Nothing to compare with">
            The definition of version {before.version} cannot be read.
          </EmptyState>
        )
      ) : (
        <ContentDiffView before={old.data} after={selected.data} />
      )}
      <ConfirmDialog
        open={confirming}
        title={`Restore version ${version}`}
        confirmLabel="Restore"
        onClose={() => setConfirming(false)}
        onConfirm={onRestore}
      >
        Its tiles, description and tags are saved as a new version. Later versions remain in the list.
      </ConfirmDialog>
    </Page>
  )
}
