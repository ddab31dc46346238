import { VersionsTable } from '@headwater/items/web'
import { type Column, Dialog, useInfiniteList } from '@headwater/web-kit'
import { type DataPrepSummary, listDataPrepVersions } from '../../contract/index.ts'
import { type CreatorTab, prepHref } from '../prep-links.ts'
import styles from './VersionsDialog.module.css'

/** Dialog with all versions of a data prep. An older version can be opened and saved as the newest. */
export function VersionsDialog({
  prep,
  current,
  tab,
  onClose,
}: {
  /** The dialog is closed while it is undefined. */
  prep: { id: string; name: string } | undefined
  /** Number of the open version. */
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
  const versions = useInfiniteList(listDataPrepVersions, { params: { id }, query: {} })
  const entries: Column<DataPrepSummary> = {
    id: 'entries',
    header: 'Entries',
    width: 70,
    align: 'end',
    cell: ({ symbolCount }) => symbolCount.toLocaleString('en'),
  }
  return (
    <div className={styles.versions}>
      <VersionsTable
        {...versions}
        columns={[entries]}
        {...(current === undefined ? {} : { activeKey: String(current) })}
        hrefOf={(version) => prepHref(version, tab, version.latest ? 'latest' : version.version)}
        authorOf={({ modifiedBy }) => modifiedBy}
        // A plain link would not close the dialog.
        onLeave={onClose}
      />
    </div>
  )
}
