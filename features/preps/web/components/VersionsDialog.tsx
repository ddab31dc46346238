import { useNavigate } from 'react-router'
import { type Column, DataTable, Dialog, TextLink, Time } from '@headwater/web-kit'
import type { DataPrepSummary } from '../../contract/index.ts'
import { type CreatorTab, prepHref } from '../prep-links.ts'
import { usePrepVersions } from '../preps-client.ts'
import styles from './VersionsDialog.module.css'

/** Every version of a data prep; one that is opened can be saved again as the newest. */
export function VersionsDialog({
  prep,
  current,
  tab,
  onClose,
}: {
  /** The dialog is closed while it is undefined. */
  prep: { id: string; name: string } | undefined
  /** The version that is open. */
  current?: number
  tab: CreatorTab
  onClose: () => void
}) {
  return (
    <Dialog open={prep !== undefined} onClose={onClose} title={`Versions of ${prep?.name}`} width={620}>
      {prep === undefined ? null : <Versions id={prep.id} current={current} tab={tab} onClose={onClose} />}
    </Dialog>
  )
}

function Versions({
  id,
  current,
  tab,
  onClose,
}: {
  id: string
  current: number | undefined
  tab: CreatorTab
  onClose: () => void
}) {
  const versions = usePrepVersions(id)
  const navigate = useNavigate()
  const hrefOf = (version: DataPrepSummary) =>
    prepHref(version, tab, version.latest ? 'latest' : version.version)
  const columns: Column<DataPrepSummary>[] = [
    {
      id: 'version',
      header: 'Version',
      width: 100,
      cell: (version) => (
        // a link of its own would not close the dialog
        <span onClickCapture={onClose}>
          <TextLink href={hrefOf(version)}>
            {`v${version.version}${version.latest ? ' · newest' : ''}`}
          </TextLink>
        </span>
      ),
    },
    {
      id: 'entries',
      header: 'Entries',
      width: 70,
      align: 'end',
      cell: ({ symbolCount }) => symbolCount.toLocaleString('en'),
    },
    {
      id: 'by',
      header: 'Saved by',
      width: 'minmax(140px, 1fr)',
      text: ({ modifiedBy }) => modifiedBy,
      cell: ({ modifiedBy }) => modifiedBy,
    },
    {
      id: 'date',
      header: 'Saved',
      width: 130,
      align: 'end',
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} show="datetime" />,
    },
  ]
  return (
    <div className={styles.versions}>
      <DataTable
        label="Versions"
        columns={columns}
        rows={versions.data?.items}
        error={versions.error}
        onRetry={() => void versions.refetch()}
        rowKey={({ version }) => String(version)}
        {...(current === undefined ? {} : { activeKey: String(current) })}
        onOpenRow={(version) => {
          onClose()
          void navigate(hrefOf(version))
        }}
      />
    </div>
  )
}
