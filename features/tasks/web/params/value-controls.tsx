import { parseJson } from '@headwater/contract'
import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { searchFiles } from '@headwater/files/contract'
import { GroupPicker } from '@headwater/groups/web'
import { searchDataPreps } from '@headwater/preps/contract'
import {
  formatSymbolParameter,
  parseSymbolParameter,
  searchSymbols,
  type SymbolItem,
} from '@headwater/symbols/contract'
import {
  call,
  Combobox,
  DateField,
  type FormControlProps,
  routeKey,
  ScheduleMeaning,
  Select,
  TextField,
  TimeField,
  withSeconds,
} from '@headwater/web-kit'
import { parseObjectValue, seriesValue } from '../../core/index.ts'
import styles from './TaskParamsForm.module.css'

/** Properties of a parameter control. */
export interface ParamControlProps extends FormControlProps<string> {
  /** Group of the pipeline or task; undefined if there is none. */
  groupName: string | undefined
}

/** Maximum number of files, symbols or data preps that a field offers. */
const maxChoices = 200

/** Field for choosing a group and one of its files. The value is JSON with the id, name and group of the file. */
export function FileControl({ groupName: own, value, onChange, ...field }: ParamControlProps) {
  const file = parseObjectValue(value)
  const [chosenGroup, setChosenGroup] = useState(file?.groupName ?? own ?? null)
  const group = file?.groupName ?? chosenGroup
  const [typed, setTyped] = useState('')
  const label = file === undefined ? '' : (file.name ?? file.id)
  const text = typed === label ? '' : typed.replaceAll(/[=&*]/g, ' ').trim()
  const query = {
    query: `name=*${text}*&groupName=${group}`,
    latest: true,
    size: maxChoices,
    sortBy: 'name' as const,
  }
  const files = useQuery({
    queryKey: routeKey(searchFiles, { query }),
    enabled: group !== null,
    queryFn: ({ signal }) => call(searchFiles, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
  const items = files.data?.items ?? []
  const options = items.map(({ fid, fileName }) => ({ value: fid, label: fileName }))
  if (file !== undefined && !options.some((option) => option.value === file.id))
    options.push({ value: file.id, label })
  return (
    <div className={styles.pair}>
      <GroupPicker
        label={`${field.label}: group`}
        writeOnly={false}
        disabled={field.disabled}
        value={group}
        onChange={(name) => {
          setChosenGroup(name)
          if (value !== '') onChange('')
        }}
      />
      <Combobox
        {...field}
        value={file?.id ?? null}
        disabled={field.disabled || group === null}
        placeholder={group === null ? 'Choose a group first' : 'Choose a file'}
        options={options}
        onSearch={setTyped}
        total={files.data?.totalSize}
        totalIsAtLeast={files.data?.totalIsAtLeast}
        loading={files.isFetching}
        onChange={(id) => {
          const chosen = items.find(({ fid }) => fid === id)
          if (chosen !== undefined)
            onChange(JSON.stringify({ id: chosen.fid, name: chosen.fileName, groupName: chosen.groupName }))
          else if (id === null) onChange('')
        }}
      />
    </div>
  )
}

/** Field for choosing a data prep by part of its name. The value is JSON with its id, name and group. */
export function DataPrepControl({ groupName: _own, value, onChange, ...field }: ParamControlProps) {
  const prep = parseObjectValue(value)
  const [typed, setTyped] = useState('')
  const label = prep === undefined ? '' : prepLabel(prep.name ?? prep.id, prep.groupName)
  const text = typed === label ? '' : typed.replaceAll(/[=&]/g, ' ').trim()
  const query = { query: text, size: maxChoices, sortBy: 'name' as const }
  const preps = useQuery({
    queryKey: routeKey(searchDataPreps, { query }),
    queryFn: ({ signal }) => call(searchDataPreps, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
  const items = preps.data?.items ?? []
  const options = items.map(({ id, name, groupName }) => ({ value: id, label: prepLabel(name, groupName) }))
  if (prep !== undefined && !options.some((option) => option.value === prep.id))
    options.push({ value: prep.id, label })
  return (
    <Combobox
      {...field}
      value={prep?.id ?? null}
      placeholder="Choose a data prep"
      options={options}
      onSearch={setTyped}
      total={preps.data?.totalSize}
      loading={preps.isFetching}
      onChange={(id) => {
        const chosen = items.find((item) => item.id === id)
        if (chosen !== undefined)
          onChange(JSON.stringify({ id: chosen.id, name: chosen.name, groupName: chosen.groupName }))
        else if (id === null) onChange('')
      }}
    />
  )
}

function prepLabel(name: string, groupName: string | undefined): string {
  return groupName === undefined ? name : `${name} · ${groupName}`
}

/**
 * Field for choosing a group, one of its symbols and a column. The value is JSON with the group, the keys of the symbol and the
 * column.
 */
export function SeriesControl({ groupName: own, value, onChange, ...field }: ParamControlProps) {
  const series = seriesValue.safeParse(parseJson(value)).data
  const [draft, setDraft] = useState({ groupName: series?.groupName ?? own ?? null, symbol: '' })
  const group = series?.groupName ?? draft.groupName
  const symbol = series === undefined ? draft.symbol : formatSymbolParameter(series.symbols)
  const [typed, setTyped] = useState('')
  const text = typed === symbol ? '' : typed.replaceAll(/[=&*]/g, ' ').trim()
  const query = { query: `${text === '' ? '' : `*${text}*&`}groupName.keyword=${group}`, size: maxChoices }
  const symbols = useQuery({
    queryKey: routeKey(searchSymbols, { query }),
    enabled: group !== null,
    queryFn: ({ signal }) => call(searchSymbols, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
  const items = symbols.data?.items ?? []
  const names = items.map((item) => formatSymbolParameter(item.symbols))
  const options = (symbol === '' || names.includes(symbol) ? names : [...names, symbol]).map((name) => ({
    value: name,
    label: name,
  }))
  const columns = columnsOf(items.find((item) => formatSymbolParameter(item.symbols) === symbol))
  const set = (name: string, column: string | undefined) => {
    setDraft({ groupName: group, symbol: name })
    if (group === null || name === '' || column === undefined) return value === '' ? undefined : onChange('')
    return onChange(JSON.stringify({ groupName: group, symbols: parseSymbolParameter(name), column }))
  }
  return (
    <div className={styles.pair}>
      <GroupPicker
        label={`${field.label}: group`}
        writeOnly={false}
        disabled={field.disabled}
        value={group}
        onChange={(name) => {
          setDraft({ groupName: name, symbol: '' })
          if (value !== '') onChange('')
        }}
      />
      <Combobox
        {...field}
        value={symbol === '' ? null : symbol}
        disabled={field.disabled || group === null}
        placeholder={group === null ? 'Choose a group first' : 'Choose a symbol'}
        options={options}
        onSearch={setTyped}
        total={symbols.data?.totalSize}
        totalIsAtLeast={symbols.data?.totalIsAtLeast}
        loading={symbols.isFetching}
        onChange={(name) => {
          const chosen = items.find((item) => formatSymbolParameter(item.symbols) === name)
          set(name ?? '', columnsOf(chosen)[0])
        }}
      />
      <Select
        label={`${field.label}: column`}
        disabled={field.disabled || symbol === ''}
        value={series?.column ?? null}
        options={[...new Set([...columns, ...(series === undefined ? [] : [series.column])])].map(
          (column) => ({
            value: column,
            label: column,
          }),
        )}
        onChange={(column) => set(symbol, column ?? undefined)}
      />
    </div>
  )
}

function columnsOf(item: SymbolItem | undefined): string[] {
  return item?.columns.map(({ name }) => name) ?? []
}

/** Number of displayed next runs of a cron expression. */
const nextRuns = 5

/** Field for a cron expression, with its description and next runs. */
export function CronControl({
  groupName: _own,
  value,
  timeZone = 'UTC',
  onChange,
  ...field
}: ParamControlProps & {
  /** Time zone of the expression. Default UTC. */
  timeZone?: string | undefined
}) {
  const cron = value.trim() === '' ? (field.placeholder ?? '') : value
  return (
    <div>
      <TextField
        {...field}
        mono
        value={value}
        placeholder={field.placeholder || 'For example 0 7 * * 1-5'}
        error={field.error ?? null}
        onChange={onChange}
      />
      {cron === '' ? null : <ScheduleMeaning cron={cron} timeZone={timeZone} count={nextRuns} />}
    </div>
  )
}

/** Field for a date and time in UTC. The value is ISO 8601 with the zone Z. */
export function DateTimeControl({ groupName: _own, value, onChange, ...field }: ParamControlProps) {
  const time = new Date(value)
  const iso = value === '' || Number.isNaN(time.getTime()) ? '' : time.toISOString()
  const [day, clock] = [iso.slice(0, 10), iso.slice(11, 19)]
  const set = (newDay: string, newClock: string) =>
    onChange(newDay === '' ? '' : `${newDay}T${withSeconds(newClock || '00:00')}Z`)
  return (
    <div className={styles.pair}>
      <DateField
        label={field.label}
        hint={field.hint}
        error={field.error ?? null}
        required={field.required}
        disabled={field.disabled}
        value={day}
        placeholder={field.placeholder?.slice(0, 10)}
        onChange={(newDay) => set(newDay, clock)}
      />
      <TimeField
        label={`${field.label}: time (UTC)`}
        disabled={field.disabled || day === ''}
        value={clock}
        onChange={(newClock) => set(day, newClock)}
      />
    </div>
  )
}
