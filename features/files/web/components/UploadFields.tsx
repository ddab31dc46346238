import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import type { GroupField } from '@headwater/groups/contract'
import { Button, Checkbox, DateField, IconButton, TextField, TimeField } from '@headwater/web-kit'
import type { UploadOptions } from '../upload-plan.ts'
import styles from './UploadDialog.module.css'

/** Properties of a part of the upload form. */
interface EditorProps {
  options: UploadOptions
  onChange: (options: UploadOptions) => void
  disabled: boolean
}

/** Options of the ingest of series files. */
export function SeriesOptions({ options, onChange, disabled }: EditorProps) {
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>Series</legend>
      <Checkbox
        label="Keep stored columns that are not in the file"
        hint="Stored values stay where the file has an empty cell or no column (PARTIAL_UPDATE)."
        checked={options.partialUpdate}
        onChange={(partialUpdate) => onChange({ ...options, partialUpdate })}
      />
      <Checkbox
        label="Skip values that are already stored"
        hint="Only new and changed values are stored. A file without any is not stored (AVOID_DUPLICATES)."
        checked={options.avoidDuplicates}
        onChange={(avoidDuplicates) => onChange({ ...options, avoidDuplicates })}
      />
      <Checkbox
        label="Ignore metadata columns"
        hint="Reads symbols, dates and values only (SKIP_METADATA)."
        checked={options.skipMetadata}
        onChange={(skipMetadata) => onChange({ ...options, skipMetadata })}
      />
    </fieldset>
  )
}

/** Hints about values, by the type of the field. */
const valueHints: Record<GroupField['type'], string> = {
  string: 'Value',
  int: 'Whole number',
  float: 'Number',
  date: 'Date, 2026-01-31',
  array: 'Values',
}

/** Metadata of the files: fields of the group and free ones. */
export function MetadataEditor({
  options,
  fields,
  onChange,
  disabled,
  errors,
}: EditorProps & { fields: readonly GroupField[]; errors: readonly string[] }) {
  const set = (metadata: UploadOptions['metadata']) => onChange({ ...options, metadata })
  return (
    <fieldset className={styles.group} disabled={disabled}>
      <legend>Metadata</legend>
      {options.metadata.map((pair, index) => (
        // The index is the only identity of a row.
        <div className={styles.pair} key={index}>
          <TextField
            label={`Name ${index + 1}`}
            hideLabel
            placeholder="Name"
            value={pair.name}
            disabled={!pair.removable}
            onChange={(name) => set(options.metadata.with(index, { ...pair, name }))}
          />
          <TextField
            label={`Value ${index + 1}`}
            hideLabel
            placeholder={fields.find(({ name }) => name === pair.name)?.defaultValue || valueHints[pair.type]}
            value={pair.value}
            onChange={(value) => set(options.metadata.with(index, { ...pair, value }))}
          />
          <IconButton
            label={
              pair.removable
                ? `Remove metadata ${index + 1}`
                : `${pair.name} is a field of the group and cannot be removed`
            }
            icon={<IconTrash size={16} stroke={1.6} />}
            disabled={!pair.removable}
            onClick={() => set(options.metadata.filter((_, i) => i !== index))}
          />
        </div>
      ))}
      {errors.map((error) => (
        <p key={error} role="alert" className={styles.failed}>
          {error}
        </p>
      ))}
      <div>
        <Button
          size="small"
          variant="quiet"
          icon={<IconPlus size={14} stroke={1.6} />}
          onClick={() => set([...options.metadata, { name: '', value: '', type: 'string', removable: true }])}
        >
          Add metadata
        </Button>
      </div>
    </fieldset>
  )
}

/** Period of the data. Users whose share is limited to dates can open the files only if it lies within these dates. */
export function RangeEditor({ options, onChange, disabled, timeZone }: EditorProps & { timeZone: string }) {
  const set = (part: Partial<UploadOptions['range']>) =>
    onChange({ ...options, range: { ...options.range, ...part } })
  const part = (key: keyof UploadOptions['range']) => ({
    value: options.range[key],
    disabled,
    onChange: (value: string) => set({ [key]: value }),
  })
  return (
    <details className={styles.range}>
      <summary>Period covered by the data (optional)</summary>
      <fieldset className={styles.rangeParts} disabled={disabled}>
        <legend>
          Times are in {timeZone}. All rows are stored. Users whose share is limited to dates can open the
          file only if this period lies within these dates.
        </legend>
        <DateField label="First date" {...part('startDate')} />
        <TimeField label="Start time" {...part('startTime')} />
        <DateField label="Last date" {...part('endDate')} />
        <TimeField label="End time" {...part('endTime')} />
      </fieldset>
    </details>
  )
}
