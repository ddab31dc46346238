import IconAlert from '@tabler/icons-react/dist/esm/icons/IconAlertCircle.mjs'
import IconWarning from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconChartLine from '@tabler/icons-react/dist/esm/icons/IconChartLine.mjs'
import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCircleCheck.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { useStoragePages } from '@headwater/accounts/web'
import {
  Button,
  FileSize,
  IconButton,
  lazyPart,
  links,
  PartBoundary,
  Progress,
  Select,
  Skeleton,
} from '@headwater/web-kit'
import { isSeriesFile } from '../../contract/index.ts'
import type { ImportedSeries } from '../import/send-import.ts'
import { isTable } from '../upload-plan.ts'
import { isUnsent, type UploadItem, type useUploads } from '../use-uploads.ts'
import { VersionNote } from '../import/VersionNote.tsx'
import styles from './UploadDialog.module.css'

const ImportForm = lazyPart(() => import('../import/ImportForm.tsx'))

/** A file of an upload: its type or the settings of its import, its progress and its result. */
export function UploadRow({
  item,
  uploads,
  types,
  groupName,
}: {
  item: UploadItem
  uploads: ReturnType<typeof useUploads>
  /** Types to choose from. */
  types: readonly string[]
  /** Group of the upload; null before it is chosen. */
  groupName: string | null
}) {
  const { file, draft, errors } = item
  const { sending } = uploads
  const storeUnchanged = () => uploads.setFileType(item.key, 'SOURCE')
  // Before the upload, the reason is part of the hint about the type.
  const isImportRefused = draft === undefined && item.state !== 'waiting'
  return (
    <li className={styles.item}>
      <span className={styles.name} title={file.name}>
        {file.name}
      </span>
      <span className={styles.size}>
        <FileSize bytes={file.size} />
      </span>
      {draft === undefined ? (
        <Select
          label={`Type of ${file.name}`}
          hideLabel
          value={item.fileType}
          disabled={!isUnsent(item)}
          error={errors['fileType'] ?? null}
          options={types.map((type) => ({ value: type, label: type }))}
          onChange={(fileType) => uploads.setFileType(item.key, fileType ?? 'SOURCE')}
        />
      ) : (
        <Button size="small" disabled={sending || !isUnsent(item)} onClick={storeUnchanged} data-next-focus>
          Store unchanged
        </Button>
      )}
      <IconButton
        label={`Remove ${file.name}`}
        icon={<IconTrash size={16} stroke={1.6} />}
        disabled={sending}
        onClick={() => uploads.remove(item.key)}
        data-removes-item
      />
      {['fileName', ...(isImportRefused ? ['import'] : [])].map((field) =>
        errors[field] === undefined ? null : (
          <p key={field} role="alert" className={styles.failed}>
            {errors[field]}
          </p>
        ),
      )}
      <ItemState
        item={item}
        groupName={groupName}
        onKeepAsIs={storeUnchanged}
        onImport={() => void uploads.beginImport(item)}
      />
      {draft === undefined || sending || !isUnsent(item) ? null : (
        <PartBoundary fallback={<Skeleton lines={6} />}>
          <ImportForm
            fileName={file.name}
            groupName={groupName}
            draft={draft}
            rejection={errors['import']}
            onChange={(edit) => uploads.changeDraft(item.key, edit)}
            onHeaderChange={(hasHeader) => void uploads.beginImport(item, hasHeader)}
          />
        </PartBoundary>
      )}
    </li>
  )
}

const outcomes = {
  done: { Icon: IconCheck, label: 'Uploaded' },
  warning: { Icon: IconWarning, label: 'No new data' },
  failed: { Icon: IconAlert, label: 'Not uploaded' },
}

function ItemState({
  item,
  groupName,
  onKeepAsIs,
  onImport,
}: {
  item: UploadItem
  groupName: string | null
  onKeepAsIs: () => void
  onImport: () => void
}) {
  const { name } = item.file
  if (item.state === 'waiting')
    return item.draft === undefined ? (
      <>
        <VersionNote groupName={groupName} fileName={name} fileType={item.fileType} />
        <TypeHint item={item} onImport={onImport} />
      </>
    ) : null
  if (item.state === 'converting') return <Progress label={`Converting ${name}`} value={item.progress} />
  if (item.state === 'sending') return <Progress label={`Uploading ${name}`} value={item.progress} />
  if (item.state === 'ingesting') return <Progress label={`Ingesting ${name}`} />
  const rejected = item.state === 'rejected'
  const kind = item.state === 'rejected' ? 'failed' : item.state
  const { Icon, label } = outcomes[kind]
  return (
    <>
      <p className={styles[kind]} role={kind === 'failed' ? 'alert' : 'status'}>
        <Icon size={15} stroke={1.6} aria-hidden /> {item.message === '' ? label : item.message}
      </p>
      {item.imported === undefined ? null : <ChartLink series={item.imported} />}
      {rejected ? (
        <p className={styles.typeHint}>
          Not time series?{' '}
          <Button size="small" onClick={onKeepAsIs}>
            Store it as a plain file
          </Button>
          {item.draft === undefined && isTable(name) ? (
            <>
              {' '}
              <Button size="small" icon={<IconChartLine size={14} stroke={1.6} />} onClick={onImport}>
                Import as series
              </Button>
            </>
          ) : null}
        </p>
      ) : null}
    </>
  )
}

/** Link to the chart of the first imported symbol, in the list of all symbols of the file. */
function ChartLink({ series: { groupName, fileId, symbol } }: { series: ImportedSeries }) {
  if (!useStoragePages()) return null
  return (
    <p className={styles.typeHint} data-next-focus>
      <Button
        size="small"
        href={links.symbols(groupName, { fileId, symbol })}
        icon={<IconChartLine size={14} stroke={1.6} />}
      >
        Show chart
      </Button>
    </p>
  )
}

/** Explains the chosen type if the name of the file does not determine it, or why the file cannot be imported. */
function TypeHint({ item, onImport }: { item: UploadItem; onImport: () => void }) {
  if (!isTable(item.file.name)) return null
  if (isSeriesFile(item.fileType))
    return (
      <p className={styles.typeHint}>
        Rows become time series. To store the file as it is, choose the type for plain files (SOURCE).
      </p>
    )
  const problem = item.errors['import']
  if (problem !== undefined)
    return (
      <p className={styles.warning} role="status">
        {`${problem} Upload stores it as a plain file.`}
      </p>
    )
  return (
    <p className={styles.typeHint}>
      Will be stored as a plain file. To draw charts of it, import it as series.{' '}
      <Button size="small" icon={<IconChartLine size={14} stroke={1.6} />} onClick={onImport} data-next-focus>
        Import as series
      </Button>
    </p>
  )
}
