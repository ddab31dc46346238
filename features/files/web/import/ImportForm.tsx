import { useEffect } from 'react'
import { parseDate, type DateAmbiguity } from '@headwater/csv'
import { Button, Checkbox, Combobox, MultiSelect, Select, TextField } from '@headwater/web-kit'
import { VersionNote } from './VersionNote.tsx'
import { ColumnRoles } from './ColumnRoles.tsx'
import { choicesOf, DateFormatField, DateZoneField } from './DateFields.tsx'
import {
  applyFittingMapping,
  changeMapping,
  chooseDecimalSign,
  draftProblem,
  type ImportDraft,
  seriesColumns,
  setRole,
} from './import-draft.ts'
import { ImportPreview } from './ImportPreview.tsx'
import { useMappings } from './mappings-client.ts'
import { StoredMappings } from './StoredMappings.tsx'
import styles from './ImportForm.module.css'

/** Settings of the import of a CSV file as series: suggested, with a preview of the result. */
export default function ImportForm({
  fileName,
  groupName,
  draft,
  rejection,
  onChange,
  onHeaderChange,
}: {
  fileName: string
  /** Group whose stored mappings are offered; null for none. */
  groupName: string | null
  draft: ImportDraft
  /** Reason why the import was not started. */
  rejection: string | undefined
  onChange: (change: (before: ImportDraft) => ImportDraft) => void
  /** Reads the file again, with or without a row of names. */
  onHeaderChange: (hasHeader: boolean) => void
}) {
  const stored = useMappings(groupName).data
  useEffect(() => {
    if (stored !== undefined) onChange((before) => applyFittingMapping(before, stored))
    // A mapping is suggested when the mappings of a group arrive, not after each change of the draft.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [stored])
  const { mapping, sample, dateAmbiguity } = draft
  const { date, constantSymbols } = mapping
  const problem = draftProblem(draft)
  const setDate = (part: Partial<typeof date>) =>
    onChange((before) => changeMapping(before, { date: { ...before.mapping.date, ...part } }))
  const setConstant = (part: Partial<(typeof constantSymbols)[number]>) =>
    onChange((before) =>
      changeMapping(before, {
        constantSymbols: before.mapping.constantSymbols.map((symbol, at) =>
          at === 0 ? { ...symbol, ...part } : symbol,
        ),
      }),
    )
  return (
    <section className={styles.form} aria-label={`Import of ${fileName}`}>
      <TargetFile groupName={groupName} draft={draft} onChange={onChange} />
      <div className={styles.fields}>
        <Combobox
          label="Date column"
          required
          value={date.column === '' ? null : date.column}
          options={choicesOf(sample.names)}
          onChange={(column) => {
            if (column !== null) onChange((before) => setRole(before, column, 'date'))
          }}
        />
        <DateFormatField
          label="Date format"
          value={date.dateFormat === '' ? null : date.dateFormat}
          onChange={(dateFormat) => setDate({ dateFormat: dateFormat ?? '' })}
        />
        <DateZoneField
          label="Time zone"
          value={date.timezone}
          onChange={(timezone) => setDate({ timezone: timezone ?? '' })}
        />
        <Select
          label="Decimal separator"
          required
          value={draft.isDecimalSignOpen ? null : mapping.decimalSign}
          placeholder="Point or comma"
          options={[
            { value: '.', label: 'Point: 1234.5' },
            { value: ',', label: 'Comma: 1234,5' },
          ]}
          onChange={(sign) => onChange((before) => chooseDecimalSign(before, sign as '.' | ','))}
        />
      </div>
      {dateAmbiguity === undefined ? null : (
        <DateOrder
          ambiguity={dateAmbiguity}
          chosen={date.dateFormat}
          onChoose={(dateFormat) => setDate({ dateFormat })}
        />
      )}
      <div className={styles.fields}>
        <MultiSelect
          label="Symbol columns"
          value={mapping.symbolColumns}
          options={choicesOf(sample.names.filter((name) => name !== date.column))}
          placeholder={constantSymbols.length > 0 ? 'None: one symbol for all rows' : 'Choose columns'}
          onChange={(next) =>
            onChange((before) => {
              const names = before.mapping.symbolColumns
              const removed = names.find((name) => !next.includes(name))
              const added = next.find((name) => !names.includes(name))
              if (removed !== undefined) return setRole(before, removed, 'none')
              return added === undefined ? before : setRole(before, added, 'symbol')
            })
          }
        />
        {constantSymbols[0] === undefined ? (
          <Button
            onClick={() =>
              onChange((before) =>
                changeMapping(before, {
                  constantSymbols: [{ name: 'Symbol', value: fileName.replace(/\.[^.]*$/, '') }],
                }),
              )
            }
          >
            Add a symbol for all rows
          </Button>
        ) : (
          <>
            <TextField
              label="Symbol key"
              required
              value={constantSymbols[0].name}
              onChange={(name) => setConstant({ name })}
            />
            <TextField
              label="Symbol value"
              required
              value={constantSymbols[0].value}
              onChange={(value) => setConstant({ value })}
            />
            {mapping.symbolColumns.length === 0 ? null : (
              <Button onClick={() => onChange((before) => changeMapping(before, { constantSymbols: [] }))}>
                Remove
              </Button>
            )}
          </>
        )}
      </div>
      <Checkbox
        label="The first row contains column names"
        checked={sample.hasHeader}
        onChange={onHeaderChange}
      />
      <ColumnRoles draft={draft} onChange={onChange} />
      {rejection === undefined || rejection === problem ? null : (
        <p className={styles.rejected} role="alert">
          {rejection}
        </p>
      )}
      <ImportPreview draft={draft} problem={problem} isRejected={rejection === problem} />
      {groupName === null || groupName === '' ? null : (
        <StoredMappings groupName={groupName} stored={stored ?? []} draft={draft} onChange={onChange} />
      )}
    </section>
  )
}

/** Name of the series file, and the version that the import becomes. */
function TargetFile({
  groupName,
  draft: { fileName, mapping },
  onChange,
}: Pick<Parameters<typeof ImportForm>[0], 'groupName' | 'draft' | 'onChange'>) {
  return (
    <>
      <TextField
        label="Series file"
        required
        value={fileName}
        onChange={(name) => onChange((before) => ({ ...before, fileName: name }))}
      />
      <VersionNote
        groupName={groupName}
        fileName={fileName}
        fileType="NCSV"
        columns={seriesColumns(mapping)}
      />
    </>
  )
}

/** Field that asks whether the day or the month comes first. */
function DateOrder({
  ambiguity: { example, formats },
  chosen,
  onChoose,
}: {
  ambiguity: DateAmbiguity
  chosen: string
  onChoose: (format: string) => void
}) {
  return (
    <fieldset className={styles.ambiguity}>
      <legend>
        Which date is “{example}”? In the first rows, each date could begin with the day or with the month.
      </legend>
      {formats.map((format) => (
        <label key={format}>
          <input
            type="radio"
            name="date order"
            checked={chosen === format}
            onChange={() => onChoose(format)}
          />
          {longDate(format, example)} <code>{format}</code>
        </label>
      ))}
    </fieldset>
  )
}

function longDate(format: string, text: string): string {
  const parsed = parseDate(format, text)
  if (parsed === undefined) return format
  const options = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Date(parsed.localMs).toLocaleDateString('en-GB', options)
}
