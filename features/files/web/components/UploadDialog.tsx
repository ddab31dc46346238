import { useEffect, useRef, useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import IconUpload from '@tabler/icons-react/dist/esm/icons/IconUpload.mjs'
import { useCan, useSettings } from '@headwater/accounts/web'
import { GroupPicker, useGroup } from '@headwater/groups/web'
import {
  Button,
  InputDialog,
  dismissToast,
  FileDrop,
  message,
  refusesUnfinished,
  toast,
  UnsavedGuard,
  useTimeZone,
} from '@headwater/web-kit'
import { administratorFileTypes, fileTypes, isSeriesFile } from '../../contract/index.ts'
import { refreshFiles } from '../files-client.ts'
import { emptyUploadOptions, withGroupFields } from '../upload-plan.ts'
import { useUploads, type UploadFailure } from '../use-uploads.ts'
import { MetadataEditor, RangeEditor, SeriesOptions } from './UploadFields.tsx'
import { UploadRow } from './UploadRow.tsx'
import styles from './UploadDialog.module.css'

/** Dialog that uploads chosen or dropped files to a group, several at once, each with its progress. */
export function UploadDialog(props: {
  open: boolean
  onClose: () => void
  /** Group that is chosen when the dialog opens. */
  groupName?: string | undefined
  /** Files that were dropped on the page. */
  dropped?: readonly File[]
}) {
  return props.open ? <OpenUploadDialog {...props} /> : null
}

function OpenUploadDialog({ onClose, groupName, dropped = [] }: Parameters<typeof UploadDialog>[0]) {
  const client = useQueryClient()
  const can = useCan()
  const settings = useSettings()
  const timeZone = useTimeZone()
  const [group, setGroup] = useState<string | null>(groupName ?? settings?.defaultGroup ?? null)
  const [given, setOptions] = useState(emptyUploadOptions)
  const fields = useGroup(group).data?.fields ?? []
  const options = { ...given, metadata: withGroupFields(given.metadata, fields) }
  const [errors, setErrors] = useState<Record<string, string>>({})
  const uploads = useUploads({ onFieldErrors: (added) => setErrors((before) => ({ ...before, ...added })) })
  const { items, sending, unsentCount } = uploads
  const form = useRef<HTMLDivElement>(null)
  const startedWithDropped = useRef(false)
  useEffect(() => {
    if (startedWithDropped.current) return
    startedWithDropped.current = true
    if (dropped.length > 0) void uploads.add(dropped)
  }, [dropped, uploads])

  /** Toast about the last attempt, which the next one replaces. */
  const failure = useRef<number>(undefined)
  const send = async () => {
    if (form.current === null || refusesUnfinished(form.current)) return
    if (group === null || group === '') {
      setErrors({ groupName: 'Choose the group to put the files in.' })
      return
    }
    setErrors({})
    if (failure.current !== undefined) dismissToast(failure.current)
    if (await uploads.refusesDrafts()) return
    const hasImports = items.some(({ draft }) => draft !== undefined)
    const { arrived, complete, failures } = await uploads.send(group, options)
    void refreshFiles(client)
    if (!complete) {
      const summary = `${arrived} of ${uploads.unsentCount} files have been uploaded.`
      const [first] = failures
      if (first && uploads.unsentCount === 1) failure.current = toast({ kind: 'error', title: first.message })
      else if (first) failure.current = toast({ kind: 'error', title: summary, text: failuresText(failures) })
      else if (arrived > 0) message(summary, 'warn')
      return
    }
    message(arrived === 1 ? 'File has been uploaded.' : 'Files have been uploaded.', 'success')
    // The results of imports have links to their charts.
    if (!hasImports) onClose()
  }

  const types = [...fileTypes, ...(can('Administrator') ? administratorFileTypes : [])]
  const anySeries = items.some((item) => isSeriesFile(item.fileType) || item.draft !== undefined)
  // Nothing is left to upload after all files have been stored.
  const hasOptions = unsentCount > 0 || sending || items.length === 0
  const hasDrafts = items.some(({ draft }) => draft !== undefined)
  // A file can be chosen again quickly, but the settings of an import take work.
  const isUnsaved = hasDrafts && unsentCount > 0
  return (
    <InputDialog
      open
      onClose={onClose}
      busy={sending}
      unsaved={isUnsaved}
      title="Upload files"
      width={hasDrafts ? 860 : 640}
      actions={
        <>
          <Button onClick={sending ? uploads.cancel : onClose}>
            {sending ? 'Cancel upload' : isUnsaved ? 'Cancel' : 'Close'}
          </Button>
          <Button
            variant="primary"
            icon={<IconUpload size={16} stroke={1.6} />}
            busy={sending}
            disabled={unsentCount === 0 && !sending}
            onClick={() => void send()}
          >
            {unsentCount > 1 ? `Upload ${unsentCount} files` : 'Upload'}
          </Button>
        </>
      }
    >
      <UnsavedGuard when={unsentCount > 0} />
      <div ref={form} className={styles.form}>
        <GroupPicker
          required
          value={group}
          disabled={sending}
          error={errors['groupName']}
          onChange={(name) => {
            setGroup(name)
            setErrors(without(errors, 'groupName'))
          }}
        />
        <FileDrop
          label="Files to upload"
          text={items.length > 0 ? 'Drop more files here, or' : 'Drop files here, or'}
          buttonLabel="choose files"
          multiple
          disabled={sending}
          compact={items.length > 0}
          nextFocus={items.length === 0}
          onFiles={(files) => void uploads.add(files)}
        />
        {items.length === 0 ? null : (
          <ul className={styles.items} data-drafts={hasDrafts || undefined} aria-label="Files to upload">
            {items.map((item) => (
              <UploadRow key={item.key} item={item} uploads={uploads} types={types} groupName={group} />
            ))}
          </ul>
        )}
        {hasOptions && anySeries ? (
          <SeriesOptions options={options} onChange={setOptions} disabled={sending} />
        ) : null}
        {hasOptions ? (
          <>
            <MetadataEditor
              options={options}
              fields={fields}
              onChange={(next) => {
                setOptions(next)
                setErrors(without(errors, 'fields'))
              }}
              disabled={sending}
              errors={fieldTexts(errors, 'fields')}
            />
            <RangeEditor options={options} onChange={setOptions} disabled={sending} timeZone={timeZone} />
          </>
        ) : null}
      </div>
    </InputDialog>
  )
}

/** Returns a line for each of the first failures. The dialog lists all failures. */
function failuresText(failures: readonly UploadFailure[]): string {
  const lines = failures
    .slice(0, listedFailures)
    .map(({ file, message: reason }) => `${file.name}: ${reason}`)
  const more = failures.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const listedFailures = 3

/** Returns the errors except those of one field and its parts. */
function without(errors: Record<string, string>, field: string): Record<string, string> {
  return Object.fromEntries(Object.entries(errors).filter(([name]) => !name.startsWith(field)))
}

/** Returns the distinct texts of the errors of one field and its parts. */
function fieldTexts(errors: Record<string, string>, field: string): string[] {
  const matches = Object.entries(errors).filter(([name]) => name.startsWith(field))
  return [...new Set(matches.map(([, text]) => text))]
}
