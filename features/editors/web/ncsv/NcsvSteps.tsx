import { useState } from 'react'
import { type ColumnConfiguration, columnTypes, valueTypes } from '@headwater/csv'
import { choicesOf, DateFormatField, DateZoneField, VersionNote } from '@headwater/files/web'
import { Button, MultiSelect, Progress, Select, TextField } from '@headwater/web-kit'
import styles from './NcsvCreator.module.css'
import type { ReadTable } from './read-table.ts'
import { columnDateMessage, type NcsvChoices, type NcsvTable, valueColumns } from './ncsv-table.ts'

interface StepProps {
  table: NcsvTable
  choices: NcsvChoices
  onChange: (part: Partial<NcsvChoices>) => void
}

const typeNames = { DB: 'Double', S: 'String', I: 'Integer', D: 'Date' }
const tooManyRows =
  "NSCV file validation doesn't support files with more than 1000 rows. You can proceed without validation."

/** Chooses the line with the names of the columns, the date column, its format and its zone. */
export function DateStep({
  table,
  choices: { date },
  headerLine,
  firstLines,
  onChange,
  onHeaderLine,
}: StepProps & Pick<ReadTable, 'headerLine' | 'firstLines'> & { onHeaderLine: (line: number) => void }) {
  return (
    <div className={styles.fields}>
      <Select
        label="Line with column names"
        required
        value={String(headerLine)}
        options={firstLines.map(({ line, text }) => ({ value: String(line), label: `${line}: ${text}` }))}
        onChange={(line) => onHeaderLine(Number(line ?? headerLine))}
      />
      <Select
        label="Date column"
        required
        value={date.column}
        options={choicesOf(table.headers)}
        onChange={(column) => onChange({ date: { ...date, column } })}
      />
      <DateFormatField
        label="Date format"
        value={date.dateFormat}
        onChange={(dateFormat) => onChange({ date: { ...date, dateFormat } })}
      />
      <DateZoneField
        label="Time zone"
        value={date.timezone}
        onChange={(timezone) => onChange({ date: { ...date, timezone } })}
      />
    </div>
  )
}

/** Chooses the symbol columns, or adds a symbol with the same value in all rows. */
export function SymbolsStep({
  table,
  choices,
  suggestion,
  onChange,
  onAdd,
}: StepProps & { suggestion: string; onAdd: (name: string, value: string) => void }) {
  const [name, setName] = useState('Symbol')
  const [value, setValue] = useState(suggestion)
  return (
    <div className={styles.fields}>
      <MultiSelect
        label="Symbol columns"
        hint="Their values identify a series. Columns to the left of Date are also symbols."
        value={choices.symbolColumns.filter((column) => table.headers.includes(column))}
        options={choicesOf(table.headers.filter((header) => header !== 'Date'))}
        onChange={(symbolColumns) => onChange({ symbolColumns })}
      />
      <TextField label="Name of a new symbol column" value={name} onChange={setName} />
      <TextField label="Its value in all rows" value={value} onChange={setValue} />
      <Button
        disabled={name.trim() === '' || value.trim() === '' || table.headers.includes(name.trim())}
        onClick={() => onAdd(name.trim(), value.trim())}
      >
        Add symbol column
      </Button>
    </div>
  )
}

/** Configures the columns to the right of the date. */
export function ColumnsStep({ table, choices, onChange }: StepProps) {
  const set = (name: string, part: Partial<ColumnConfiguration>) =>
    onChange({ columns: { ...choices.columns, [name]: { ...choices.columns[name], ...part } } })
  return (
    <ul className={styles.columns} aria-label="Columns">
      {valueColumns(table).map((name) => {
        const column = choices.columns[name] ?? {}
        const result = columnDateMessage(table, name, column)
        return (
          <li key={name}>
            <div className={styles.fields}>
              <strong title={name}>{name}</strong>
              <Select
                label={`Column type of ${name}`}
                hideLabel
                placeholder="Column type"
                value={column.columnType ?? null}
                options={choicesOf(columnTypes)}
                onChange={(columnType) => set(name, { columnType: columnType as 'Value' })}
              />
              <Select
                label={`Type of ${name}`}
                hideLabel
                placeholder="Type"
                value={column.type ?? null}
                options={valueTypes.map((type) => ({ value: type, label: typeNames[type] }))}
                onChange={(type) => set(name, { type: type as 'S' })}
              />
              {column.type === 'D' ? (
                <>
                  <DateFormatField
                    label={`Date format of ${name}`}
                    value={column.dateFormat ?? null}
                    onChange={(dateFormat) => set(name, { dateFormat: dateFormat ?? undefined })}
                  />
                  <DateZoneField
                    label={`Time zone of ${name}`}
                    value={column.timezone ?? null}
                    onChange={(timezone) => set(name, { timezone: timezone ?? undefined })}
                  />
                </>
              ) : null}
            </div>
            {result === undefined ? null : (
              <p className={result.isProblem ? styles.problem : styles.note} role="status">
                {result.text}
              </p>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** Names the file and displays the result of the validation. */
export function ValidateStep({
  groupName,
  fileName,
  columns,
  state,
  problem,
  onFileName,
  onValidate,
}: {
  groupName: string
  fileName: string
  /** Names of the columns except dates. */
  columns: readonly string[]
  state: 'running' | 'valid' | 'unchecked' | 'invalid' | undefined
  problem: string | undefined
  onFileName: (name: string) => void
  onValidate: () => void
}) {
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label="File name"
          required
          value={fileName}
          error={fileName.trim() === '' ? 'Enter a file name.' : null}
          onChange={onFileName}
        />
        {state === undefined ? <Button onClick={onValidate}>Validate again</Button> : null}
      </div>
      <VersionNote groupName={groupName} fileName={fileName} fileType="NCSV" columns={columns} />
      {state === 'running' ? <Progress label="Validating the file" /> : null}
      {state === 'valid' ? (
        <p className={styles.note} role="status">
          NCSV file configuration went succesfully!
        </p>
      ) : null}
      {state === 'unchecked' ? (
        <p className={styles.warning} role="status">
          {tooManyRows}
        </p>
      ) : null}
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
