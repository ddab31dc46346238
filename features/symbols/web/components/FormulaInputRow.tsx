import { useState } from 'react'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { GroupPicker } from '@headwater/groups/web'
import { Combobox, IconButton, Select, TextField } from '@headwater/web-kit'
import { formatSymbolParameter, parseSymbolParameter, type SymbolItem } from '../../contract/index.ts'
import { missingField, suggestName, type InputDraft, type InputField } from '../formula-draft.ts'
import { symbolText } from '../symbol-text.ts'
import { useSymbol, useSymbolOptions } from '../symbols-client.ts'
import type { SymbolAddress } from '../use-storage-state.ts'
import styles from './NewSymbol.module.css'

/** One input of a formula: its name, and the series and column that it represents. */
export function FormulaInputRow(props: {
  number: number
  input: InputDraft
  /** Names of the other inputs. */
  taken: readonly string[]
  onChange: (part: Partial<InputDraft>) => void
  onRemove: (() => void) | undefined
  /** Error of the name. */
  fault: string | undefined
  refused: (field: InputField) => string | undefined
  showFaults: boolean
}) {
  const { number, input, taken, onChange, onRemove, fault, refused, showFaults } = props
  const { groupName, symbol, column } = input
  const [text, setText] = useState('')
  const chosen = symbol === null ? null : formatSymbolParameter(symbol)
  const chosenLabel = symbol === null ? '' : symbolText(symbol)
  // The field initially contains the selected symbol, which is not a search.
  const matches = useSymbolOptions(groupName, text === chosenLabel ? '' : text)
  const items = matches.data?.items ?? []
  const offered = items.map((item) => ({
    value: formatSymbolParameter(item.symbols),
    label: symbolText(item.symbols),
  }))
  const isListed = chosen === null || offered.some(({ value }) => value === chosen)
  const choose = (value: string | null) => {
    const item = items.find((each) => formatSymbolParameter(each.symbols) === value)
    if (value === null) return onChange({ symbol: null, column: null })
    const symbols = item?.symbols ?? parseSymbolParameter(value)
    onChange({
      symbol: symbols,
      column: numericColumns(item)[0] ?? null,
      ...(input.name.trim() === '' ? { name: suggestName(symbols, taken) } : {}),
    })
  }
  // Marks only the next missing field, because the group determines the symbols, and the symbol suggests its column and
  // name.
  const missing = showFaults ? missingField(input) : undefined
  return (
    <div className={styles.input} role="group" aria-label={`Input ${number}`}>
      <TextField
        label="Name"
        mono
        placeholder="for example x"
        maxLength={40}
        value={input.name}
        onChange={(name) => onChange({ name })}
        error={(input.name === '' && missing !== 'name' ? undefined : fault) ?? refused('name') ?? null}
      />
      <GroupPicker
        writeOnly={false}
        value={groupName}
        onChange={(name) => onChange({ groupName: name, symbol: null, column: null })}
        error={refused('groupName') ?? (missing === 'groupName' ? 'Choose a group.' : undefined)}
      />
      <IconButton
        label={`Remove input ${number}`}
        icon={<IconX size={16} stroke={1.6} />}
        disabled={onRemove === undefined}
        onClick={onRemove}
      />
      <Combobox
        label="Symbol"
        placeholder="Choose a symbol"
        disabled={groupName === null}
        value={chosen}
        onChange={choose}
        options={isListed ? offered : [{ value: chosen, label: chosenLabel }, ...offered]}
        onSearch={setText}
        total={matches.data?.totalSize}
        totalIsAtLeast={matches.data?.totalIsAtLeast}
        loading={matches.isFetching}
        error={refused('symbols') ?? (missing === 'symbols' ? 'Choose a symbol.' : null)}
      />
      <div className={styles.wide}>
        {groupName === null || symbol === null ? (
          <Select label="Column" value={null} onChange={() => {}} options={[]} disabled />
        ) : (
          <ColumnSelect
            address={{ groupName, symbols: symbol }}
            value={column}
            onChange={(name) => onChange({ column: name })}
            error={refused('column') ?? (missing === 'column' ? 'Choose a column.' : null)}
          />
        )}
      </div>
    </div>
  )
}

function ColumnSelect(props: {
  address: SymbolAddress
  value: string | null
  onChange: (name: string | null) => void
  error: string | null
}) {
  const { address, value, onChange, error } = props
  const { data: symbol } = useSymbol(address)
  const names = numericColumns(symbol ?? undefined)
  const offered = value !== null && !names.includes(value) ? [value, ...names] : names
  const gone = symbol === null ? 'This symbol does not exist.' : null
  return (
    <Select
      label="Column"
      value={value}
      onChange={onChange}
      options={offered.map((name) => ({ value: name, label: name }))}
      placeholder={symbol !== undefined && names.length === 0 ? 'No numbers' : 'Choose a column'}
      error={gone ?? error}
    />
  )
}

function numericColumns(item: SymbolItem | undefined): string[] {
  return (item?.columns ?? [])
    .filter(({ type }) => type === 'double' || type === 'integer')
    .map(({ name }) => name)
}
