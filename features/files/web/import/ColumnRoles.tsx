import { useState } from 'react'
import { Button, formatNumber, Select, TextField } from '@headwater/web-kit'
import { maxMappedColumns } from '../../contract/index.ts'
import {
  changeMapping,
  type ColumnRole,
  exampleOf,
  type ImportDraft,
  renameColumn,
  roleOf,
  rolesFor,
  setRole,
} from './import-draft.ts'
import styles from './ImportForm.module.css'

/** Maximum number of listed columns; users find others by their names. */
const listedColumns = 30

const roleNames: Record<ColumnRole, string> = {
  symbol: 'Symbol',
  date: 'Date',
  'Value DB': 'Number',
  'Value I': 'Whole number',
  'Value S': 'Text',
  'Value D': 'Date value',
  'Metadata S': 'Metadata: text',
  'Metadata DB': 'Metadata: number',
  none: 'Ignore',
}

/** The columns of the file, each with its first cell, its role and the name for its values. */
export function ColumnRoles({
  draft,
  onChange,
}: {
  draft: ImportDraft
  onChange: (change: (before: ImportDraft) => ImportDraft) => void
}) {
  const [text, setText] = useState('')
  const { sample, mapping } = draft
  const isLong = sample.names.length > listedColumns
  const matches = sample.names.filter((name) => name.toLowerCase().includes(text.trim().toLowerCase()))
  const keep = (count: number) =>
    onChange((before) => changeMapping(before, { columns: before.mapping.columns.slice(0, count) }))
  return (
    <div className={styles.columns}>
      {isLong ? (
        <div className={styles.fields}>
          <TextField
            label={`Search ${formatNumber(sample.names.length)} columns`}
            type="search"
            value={text}
            onChange={setText}
          />
          {mapping.columns.length > maxMappedColumns ? (
            <Button onClick={() => keep(maxMappedColumns)}>
              Use the first {formatNumber(maxMappedColumns)} columns
            </Button>
          ) : null}
          <Button disabled={mapping.columns.length === 0} onClick={() => keep(0)}>
            Ignore all columns
          </Button>
        </div>
      ) : null}
      <ul aria-label="Columns">
        <li className={styles.headings} aria-hidden>
          <span>Column</span>
          <span>First value</span>
          <span>Use</span>
          <span>Name in the series</span>
        </li>
        {matches.slice(0, listedColumns).map((name) => (
          <li key={name}>
            <span className={styles.name} title={name}>
              {name}
            </span>
            <span className={styles.example} title={exampleOf(sample, name).slice(0, 200)}>
              {exampleOf(sample, name).slice(0, 60)}
            </span>
            <Select
              label={`Use of ${name}`}
              hideLabel
              value={roleOf(mapping, name)}
              options={rolesFor(sample, name).map((role) => ({ value: role, label: roleNames[role] }))}
              onChange={(role) => onChange((before) => setRole(before, name, role as ColumnRole))}
            />
            <NewName draft={draft} name={name} onChange={onChange} />
          </li>
        ))}
      </ul>
      {matches.length > listedColumns ? (
        <p className={styles.note}>
          {formatNumber(listedColumns)} of {formatNumber(matches.length)} columns are listed. Find the others
          by name.
        </p>
      ) : null}
    </div>
  )
}

/** Field for the name of the values of a column. Renders nothing for columns without values. */
function NewName({ draft, name, onChange }: Parameters<typeof ColumnRoles>[0] & { name: string }) {
  const mapped = draft.mapping.columns.find(({ column }) => column === name)
  if (mapped === undefined) return null
  return (
    <div className={styles.newName}>
      <span aria-hidden>Name in the series</span>
      <TextField
        label={`Name of ${name} in the series`}
        hideLabel
        value={mapped.name ?? name}
        maxLength={250}
        onChange={(text) => onChange((before) => renameColumn(before, name, text))}
      />
    </div>
  )
}
