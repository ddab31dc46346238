import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { fillTypes, listValueColumns, timeUnits } from '@headwater/symbols/contract'
import {
  Button,
  call,
  Checkbox,
  DetailsPanel,
  DetailsSection,
  Fact,
  Facts,
  FieldRow,
  GroupLink,
  links,
  MultiSelect,
  routeKey,
  Select,
  TextField,
} from '@headwater/web-kit'
import { fillTypesWithAmount, newDataPrepSymbol, type DataPrepSymbol } from '../../../contract/index.ts'
import { type BasketEntry, entryName, entryProblem, isWholeAmount, unitText } from '../basket.ts'
import type { DraftAction } from '../draft.ts'
import styles from './EntryEditor.module.css'

const noOffset = 'none'
const offsetTypes = [
  { value: noOffset, label: 'None' },
  ...timeUnits.map((value) => ({ value, label: unitText(value) })),
]
const fills = fillTypes.map((value) => ({ value, label: unitText(value) }))

/** Editor of one or several entries of the basket. */
export function EntryEditor({
  entries,
  dataGroupName,
  disabled,
  onChange,
  onClose,
}: {
  /** At least one. */
  entries: readonly BasketEntry[]
  /** Default group of the entries. */
  dataGroupName: string | null
  disabled: boolean
  onChange: (action: DraftAction) => void
  onClose: () => void
}) {
  const only = entries.length === 1 ? entries[0]!.entry : undefined
  const keys = new Set(entries.map(({ key }) => key))
  function set(fields: Partial<DataPrepSymbol>) {
    onChange({
      type: 'basket',
      change: (basket) =>
        basket.map((item) =>
          keys.has(item.key) ? { key: item.key, entry: changed(item.entry, fields) } : item,
        ),
      topic: `${[...keys].join()} ${Object.keys(fields).join()}`,
    })
  }
  const groupName = only?.groupName ?? dataGroupName
  const title = only === undefined ? `${entries.length} entries` : entryName(only)
  return (
    <DetailsPanel
      id={[...keys].join()}
      label="Entry"
      title={title}
      closeLabel="Close the entry"
      onClose={onClose}
    >
      <fieldset className={styles.fields} disabled={disabled}>
        {only === undefined ? null : (
          <Facts>
            <Fact name="Group">
              {groupName === null ? '—' : <GroupLink href={links.symbols(groupName)}>{groupName}</GroupLink>}
            </Fact>
          </Facts>
        )}
        {only === undefined ? null : <Meaning entry={only} onChange={set} />}
        {only === undefined ? null : <ColumnsField entry={only} groupName={groupName} onChange={set} />}
        <OffsetFields entries={entries} onChange={set} />
        <FillFields entries={entries} onChange={set} />
      </fieldset>
      {only === undefined || only.pattern ? null : <Metadata entry={only} />}
    </DetailsPanel>
  )
}

function changed(entry: DataPrepSymbol, fields: Partial<DataPrepSymbol>): DataPrepSymbol {
  const next = { ...entry, ...fields }
  return newDataPrepSymbol('valueColumnNames' in fields ? { ...next, valueColumnName: null } : next)
}

/** Fields for the pattern flag and the values of a pattern. */
function Meaning({
  entry,
  onChange,
}: {
  entry: DataPrepSymbol
  onChange: (fields: Partial<DataPrepSymbol>) => void
}) {
  const [name, setName] = useState('')
  const values = Object.entries(entry.symbols)
    .map(([key, value]) => [key, String(value)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return (
    <>
      <Checkbox
        label="Pattern"
        checked={entry.pattern}
        hint="All symbols with these values, including future ones; * matches any text."
        onChange={(pattern) => onChange({ pattern })}
      />
      {entry.pattern ? (
        <>
          {values.map(([key, value]) => (
            <TextField
              key={key}
              label={key}
              mono
              value={value}
              onChange={(text) => onChange({ symbols: { ...entry.symbols, [key]: text } })}
              onBlur={() => {
                if (value === '') onChange({ symbols: withoutKey(entry.symbols, key) })
              }}
            />
          ))}
          <form
            className={styles.add}
            onSubmit={(event) => {
              event.preventDefault()
              if (name.trim() === '') return
              onChange({ symbols: { ...entry.symbols, [name.trim()]: '*' } })
              setName('')
            }}
          >
            <TextField label="Add key" value={name} placeholder="Key name" onChange={setName} />
            <Button type="submit" disabled={name.trim() === ''}>
              Add
            </Button>
          </form>
          <Checkbox
            label="Exactly these keys"
            checked={entry.patternExactMatch}
            hint="Excludes symbols with additional keys."
            onChange={(patternExactMatch) => onChange({ patternExactMatch })}
          />
          <Checkbox
            label="Treat * as plain text"
            checked={entry.symbolValuesExactMatch}
            hint="Values must match exactly."
            onChange={(symbolValuesExactMatch) => onChange({ symbolValuesExactMatch })}
          />
        </>
      ) : null}
    </>
  )
}

function withoutKey(symbols: DataPrepSymbol['symbols'], key: string) {
  return Object.fromEntries(Object.entries(symbols).filter(([name]) => name !== key))
}

function ColumnsField({
  entry,
  groupName,
  onChange,
}: {
  entry: DataPrepSymbol
  groupName: string | null
  onChange: (fields: Partial<DataPrepSymbol>) => void
}) {
  const input = { query: { groupName: groupName ?? '' } }
  const columns = useQuery({
    queryKey: routeKey(listValueColumns, input),
    queryFn: ({ signal }) => call(listValueColumns, input, { signal }),
    enabled: groupName !== null,
  })
  return (
    <MultiSelect
      label="Columns"
      allowFree={entry.pattern}
      value={entry.valueColumnNames}
      placeholder={entry.pattern ? 'Column names' : 'All columns'}
      error={entryProblem(entry, groupName)}
      options={(columns.data?.items ?? []).map(({ name }) => ({ value: name, label: name }))}
      onChange={(valueColumnNames) => onChange({ valueColumnNames })}
    />
  )
}

interface SharedProps {
  entries: readonly BasketEntry[]
  onChange: (fields: Partial<DataPrepSymbol>) => void
}

function OffsetFields({ entries, onChange }: SharedProps) {
  const type = sharedValue(entries, (entry) => entry.offsetType ?? noOffset)
  const amount = sharedValue(entries, (entry) => entry.offsetAmount ?? '')
  const problem =
    amount === undefined || amount === '' || isWholeAmount(amount)
      ? undefined
      : 'Enter a whole number. Other values are ignored.'
  return (
    <FieldRow>
      <Select
        label="Offset"
        value={type ?? null}
        placeholder="Mixed"
        options={offsetTypes}
        onChange={(value) =>
          onChange({ offsetType: value === noOffset ? null : (value as DataPrepSymbol['offsetType']) })
        }
      />
      <TextField
        label="Offset amount"
        value={amount ?? ''}
        placeholder={amount === undefined ? 'Mixed' : ''}
        disabled={type === noOffset}
        error={problem}
        onChange={(text) => onChange({ offsetAmount: text.trim() === '' ? null : text.trim() })}
      />
    </FieldRow>
  )
}

function FillFields({ entries, onChange }: SharedProps) {
  const fill = sharedValue(entries, (entry) => entry.fillType ?? 'NONE')
  const amount = sharedValue(entries, (entry) => entry.avgPointsAmount ?? '')
  return (
    <FieldRow>
      <Select
        label="Fill gaps"
        value={fill ?? null}
        placeholder="Mixed"
        options={fills}
        onChange={(value) => onChange({ fillType: value as DataPrepSymbol['fillType'] })}
      />
      {fill !== undefined && fillTypesWithAmount.includes(fill) ? (
        <TextField
          label="Points"
          value={amount ?? ''}
          placeholder={amount === undefined ? 'Mixed' : ''}
          hint={amount === '' ? 'Enter a number to fill gaps.' : undefined}
          onChange={(text) => onChange({ avgPointsAmount: text.trim() === '' ? null : text.trim() })}
        />
      ) : null}
    </FieldRow>
  )
}

/** Returns the common value of all entries; undefined if they differ. */
function sharedValue<Value>(entries: readonly BasketEntry[], valueOf: (entry: DataPrepSymbol) => Value) {
  const [first, ...others] = entries.map(({ entry }) => valueOf(entry))
  return others.every((value) => value === first) ? first : undefined
}

function Metadata({ entry }: { entry: DataPrepSymbol }) {
  const facts = Object.entries(entry.metadata)
  if (facts.length === 0) return null
  return (
    <DetailsSection title="Metadata">
      <Facts>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </DetailsSection>
  )
}
