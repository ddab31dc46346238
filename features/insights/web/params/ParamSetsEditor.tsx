import { allZones } from '@headwater/zones'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import IconArrowDown from '@tabler/icons-react/dist/esm/icons/IconArrowDown.mjs'
import IconArrowUp from '@tabler/icons-react/dist/esm/icons/IconArrowUp.mjs'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { filterOperators, listSymbolGroups, listSymbolKeys, needsValue } from '@headwater/symbols/contract'
import { GroupPicker } from '@headwater/groups/web'
import {
  Button,
  call,
  Combobox,
  DateField,
  IconButton,
  NumberField,
  Select,
  Switch,
  TextField,
} from '@headwater/web-kit'
import type { FileReference, InsightContent } from '../../contract/index.ts'
import { AddButton } from '../components/AddButton.tsx'
import editor from '../components/Editor.module.css'
import { EntryList } from '../components/EntryList.tsx'
import { FileFields } from '../components/FileFields.tsx'
import { FoldedItem } from '../components/FoldedItem.tsx'
import { answerColumns } from '../../contract/series/series-answer.ts'
import { useFileTable } from '../sources/use-file-table.ts'
import { ChoiceField } from './ChoiceField.tsx'
import {
  fileColumn,
  fileOfSet,
  inOrder,
  newParamSet,
  ofOptions,
  paramFilter,
  paramKey,
  paramSetsOf,
  type FileColumn,
  type ParamField,
  type ParamFilter,
  type ParamKey,
  type ParamSet,
} from '../../contract/params/param-set.ts'
import { isLeftToTiles, symbolMapsIn } from '../../contract/params/bind-tile.ts'
import { seriesGroupsOf } from '../../contract/series/last-group.ts'
import { useInsightData } from '../sources/insight-data.ts'
import { RangeChoice } from './ParamForm.tsx'
import { typesWithData } from '../../contract/params/param-reach.ts'
import { dataPrepOf } from '../../contract/sources/asked-data.ts'
import { tileSourceOf } from '../../contract/sources/tile-source.ts'
import { ParamReach } from './ParamReach.tsx'
import { useReach } from './use-reach.ts'
import styles from './ParamsPanel.module.css'

const icon = { size: 16, stroke: 1.6, 'aria-hidden': true } as const
type Stored = Record<string, unknown>

/** The sets of an insight for its author: add, duplicate, reorder, change, remove. */
export function ParamSetsEditor({
  stored,
  onChange,
  onTiles,
}: {
  /** As the definition keeps them, by id. */
  stored: Stored
  onChange: (inputParams: Stored, topic?: string) => void
  onTiles: (tiles: InsightContent['tiles']) => void
}) {
  const client = useQueryClient()
  const firstGroup = useFirstGroup()
  const { content } = useInsightData()
  const [openId, setOpenId] = useState<string>()
  const sets = paramSetsOf({ inputParams: stored })
  const titles = sets.map(({ title }) => title)
  const ids = sets.map(({ id }) => id)

  async function add() {
    const { id, ...set } = newParamSet(stored, titles)
    const key = firstGroup === '' ? undefined : await onlyKey(firstGroup)
    const keys =
      key === undefined ? [] : [paramKey.parse({ symbolKey: key, defaultValue: onlyValueOf(key, content) })]
    onChange(inOrder({ ...stored, [id]: { ...set, groupName: firstGroup, keys } }, [...ids, id]))
    setOpenId(id)
  }
  /** The key of the symbols of a group, if there is one only. The author chooses where that cannot be known. */
  async function onlyKey(groupName: string): Promise<string | undefined> {
    const answer = await client.ensureQueryData(keysQuery(groupName)).catch(() => undefined)
    return onlyKeyOf(answer?.items ?? [], [])
  }
  function duplicate(original: ParamSet) {
    const { id, title } = newParamSet(stored, titles)
    const copy = { ...structuredClone(stored[original.id] as object), id: undefined, title }
    onChange(inOrder({ ...stored, [id]: copy }, ids.toSpliced(ids.indexOf(original.id) + 1, 0, id)))
    setOpenId(id)
  }
  function move(id: string, by: -1 | 1) {
    const at = ids.indexOf(id)
    onChange(inOrder(stored, ids.with(at, ids[at + by]!).with(at + by, id)))
  }
  return (
    <div className={editor.fields}>
      {sets.length === 0 ? (
        <p className={editor.quiet}>
          Parameters let readers choose what tiles show. Add parameters, then apply them to tiles.
        </p>
      ) : null}
      {sets.map((set, index) => {
        const isOpen = set.id === openId
        const name = set.title || set.id
        const change = (fields: Partial<ParamSet>) =>
          onChange(
            { ...stored, [set.id]: { ...(stored[set.id] as object), ...fields } },
            `params ${set.id} ${Object.keys(fields).join()}`,
          )
        return (
          <FoldedItem
            key={set.id}
            name={name}
            note={set.isHidden ? 'hidden' : ''}
            open={isOpen}
            onToggle={() => setOpenId(isOpen ? undefined : set.id)}
          >
            <OneSet set={set} onChange={change} onTiles={onTiles} />
            <div className={editor.tools}>
              <IconButton
                label={`Move ${name} up`}
                icon={<IconArrowUp {...icon} />}
                disabled={index === 0}
                onClick={() => move(set.id, -1)}
              />
              <IconButton
                label={`Move ${name} down`}
                icon={<IconArrowDown {...icon} />}
                disabled={index === sets.length - 1}
                onClick={() => move(set.id, 1)}
              />
              <IconButton
                label={`Duplicate ${name}`}
                icon={<IconCopy {...icon} />}
                onClick={() => duplicate(set)}
              />
              <IconButton
                label={`Remove ${name}`}
                icon={<IconTrash {...icon} />}
                onClick={() =>
                  onChange(Object.fromEntries(Object.entries(stored).filter(([id]) => id !== set.id)))
                }
              />
            </div>
          </FoldedItem>
        )
      })}
      <AddButton onClick={() => void add()}>Add parameters</AddButton>
    </div>
  )
}

/** The group of the first series of the insight, else the only group with symbols; empty when an author has to choose. */
function useFirstGroup(): string {
  const { first } = seriesGroupsOf(useInsightData().content)
  const query = { query: '', size: 2 }
  const groups = useQuery({
    queryKey: [listSymbolGroups.name, 'only', query],
    enabled: first === undefined,
    queryFn: ({ signal }) => call(listSymbolGroups, { query }, { signal }),
  })
  const [only, ...others] = groups.data?.items ?? []
  return first ?? (others.length === 0 ? (only?.groupName ?? '') : '')
}

function keysQuery(groupName: string) {
  const body = { groupName, metadata: true }
  return queryOptions({
    queryKey: [listSymbolKeys.name, body],
    queryFn: ({ signal }) => call(listSymbolKeys, { body }, { signal }),
  })
}

/** The only key of symbols that is not taken yet; undefined when there are more, or none. */
function onlyKeyOf(
  offered: readonly { name: string; kind: string }[],
  taken: readonly ParamKey[],
): string | undefined {
  const free = offered.filter(
    ({ name, kind }) => kind !== 'metadata' && !taken.some(({ symbolKey }) => symbolKey === name),
  )
  return free.length === 1 ? free[0]!.name : undefined
}

/** The value that all series of an insight have for a key; empty when they have several, or none. */
function onlyValueOf(key: string, content: InsightContent): string {
  const values = new Set(
    content.tiles.flatMap((tile) =>
      [...dataPrepOf(content, tile.id).symbols.map(({ symbols }) => symbols), ...symbolMapsIn(tile)].flatMap(
        (symbols) => (typeof symbols[key] === 'string' ? [symbols[key]] : []),
      ),
    ),
  )
  const [value = '', ...others] = values
  return others.length > 0 || value.includes('*') ? '' : value
}

interface SetProps {
  set: ParamSet
  onChange: (fields: Partial<ParamSet>) => void
}

function OneSet({
  set,
  onChange,
  onTiles,
}: SetProps & { onTiles: (tiles: InsightContent['tiles']) => void }) {
  const { content } = useInsightData()
  const isFile = set.basicInputParamsType === 'FILE'
  return (
    <>
      <ParamReach set={set} tiles={content.tiles} withProblems />
      <FollowAll set={set} onTiles={onTiles} />
      <TextField label="Title" value={set.title} maxLength={200} onChange={(title) => onChange({ title })} />
      <Select
        label="Choices from"
        value={set.basicInputParamsType}
        options={[
          { value: 'TS', label: 'Time series' },
          { value: 'FILE', label: 'File' },
        ]}
        onChange={(type) => onChange({ basicInputParamsType: type === 'FILE' ? 'FILE' : 'TS' })}
      />
      {isFile ? (
        <FileSetFields set={set} onChange={onChange} />
      ) : (
        <SeriesSetFields set={set} onChange={onChange} />
      )}
      <FilterFields set={set} onChange={onChange} />
      <RangeSetFields set={set} onChange={onChange} />
      <p className={editor.heading}>For readers</p>
      <TextField
        label="Description"
        rows={2}
        value={set.description}
        maxLength={2000}
        onChange={(description) => onChange({ description })}
      />
      <TextField
        label="Button text"
        value={set.submitButtonText}
        placeholder="Apply"
        maxLength={60}
        onChange={(submitButtonText) => onChange({ submitButtonText })}
      />
      <Switch
        label="Dependent choices"
        hint="Each field offers only values that match the fields above it."
        checked={set.isHierarchyEnabled}
        onChange={(isHierarchyEnabled) => onChange({ isHierarchyEnabled })}
      />
      <Switch
        label="Sync fields with the same label"
        hint="A value applied here is applied to the same label in other parameter sets that have this option."
        checked={set.shouldSynchronizeParams}
        onChange={(shouldSynchronizeParams) => onChange({ shouldSynchronizeParams })}
      />
      <Switch
        label="Open the panel at start"
        hint="Readers see the parameters panel when they open the insight."
        checked={set.shouldOpenOnStart}
        onChange={(shouldOpenOnStart) => onChange({ shouldOpenOnStart })}
      />
      <Switch
        label="Hide from readers"
        checked={set.isHidden}
        onChange={(isHidden) => onChange({ isHidden })}
      />
    </>
  )
}

/** Binds every tile that is bound to nothing and has data that can follow the set. */
function FollowAll({ set, onTiles }: { set: ParamSet; onTiles: (tiles: InsightContent['tiles']) => void }) {
  const { content } = useInsightData()
  const free = content.tiles.filter(
    (tile) =>
      tile.sourceInputParamsId === undefined &&
      typesWithData.includes(tile.type) &&
      tileSourceOf(tile, dataPrepOf(content, tile.id)).kind !== 'tile',
  )
  const reached = useReach(
    set,
    free.map((tile) => ({ ...tile, sourceInputParamsId: set.id })),
  )
  const ids = reached.filter(({ followed }) => followed.length > 0).map(({ id }) => id)
  if (ids.length === 0) return null
  return (
    <div>
      <Button
        size="small"
        onClick={() =>
          onTiles(
            content.tiles.map((tile) =>
              ids.includes(tile.id) ? { ...tile, sourceInputParamsId: set.id } : tile,
            ),
          )
        }
      >
        Apply to all tiles
      </Button>
    </div>
  )
}

function SeriesSetFields({ set, onChange }: SetProps) {
  const { groupName } = set
  const keys = useQuery({ ...keysQuery(groupName), enabled: groupName !== '' })
  const offered = keys.data?.items ?? []
  return (
    <>
      <GroupPicker
        value={groupName === '' ? null : groupName}
        writeOnly={false}
        clearable
        onChange={(name) => onChange({ groupName: name ?? '' })}
      />
      <p className={editor.heading}>Fields</p>
      <EntryList<ParamKey>
        kind="Field"
        movable
        entries={set.keys}
        newEntry={() => paramKey.parse({ symbolKey: onlyKeyOf(offered, set.keys) })}
        onChange={(all) => onChange({ keys: all })}
      >
        {(entry, change) => (
          <>
            <Combobox
              label="Key"
              value={entry.symbolKey === '' ? null : entry.symbolKey}
              allowFree
              placeholder="Key or metadata field"
              options={[...new Set(offered.map(({ name }) => name))].map((name) => ({
                value: name,
                label: name,
              }))}
              onChange={(name) => {
                const known = offered.find((key) => key.name === name)
                change({
                  symbolKey: name ?? '',
                  ...(known === undefined
                    ? {}
                    : { symbolType: known.kind === 'metadata' ? 'METADATA' : 'SYMBOL' }),
                })
              }}
            />
            <div className={editor.pair}>
              <Select
                label="Kind"
                value={entry.symbolType}
                options={[
                  { value: 'SYMBOL', label: 'Symbol' },
                  { value: 'METADATA', label: 'Metadata' },
                ]}
                onChange={(type) => change({ symbolType: type === 'METADATA' ? 'METADATA' : 'SYMBOL' })}
              />
              <TextField
                label="Label"
                value={entry.label}
                placeholder={entry.symbolKey}
                maxLength={100}
                onChange={(label) => change({ label })}
              />
            </div>
            <OptionsFields entry={entry} onChange={change} />
            <DefaultField
              set={set}
              field={{
                name: entry.symbolKey,
                kind: entry.symbolType === 'METADATA' ? 'metadata' : 'symbol',
                label: 'Initial value',
                initial: '',
                ...ofOptions(entry.optionsFile),
              }}
              value={entry.defaultValue}
              onChange={(defaultValue) => change({ defaultValue })}
            />
          </>
        )}
      </EntryList>
    </>
  )
}

function DefaultField(props: {
  set: ParamSet
  field: ParamField
  value: string
  onChange: (value: string) => void
}) {
  const { set, field, value, onChange } = props
  // The default does not depend on what else is chosen.
  const alone = { ...set, isHierarchyEnabled: false }
  return (
    <ChoiceField
      set={alone}
      field={field}
      chosen={{ [field.name]: value }}
      label="Initial value"
      hint={
        value === '' && isLeftToTiles(set, value)
          ? 'With “Default”, each tile shows its own series.'
          : undefined
      }
      onChange={onChange}
    />
  )
}

/** Chooses whether a file lists the choices of a field, and which. */
function OptionsFields({
  entry: { optionsFile },
  onChange,
}: {
  entry: Pick<ParamKey, 'optionsFile'>
  onChange: (change: Pick<ParamKey, 'optionsFile'>) => void
}) {
  const set = (value: FileReference) => onChange({ optionsFile: { type: 'FILE', value } })
  return (
    <>
      <Switch
        label="Choices from a file"
        hint="A file in the data lake lists the choices: JSON with value and label, one choice per line, or one line separated by commas."
        checked={optionsFile !== undefined}
        onChange={(isListed) =>
          isListed ? set({ groupName: '', fileName: '' }) : onChange({ optionsFile: undefined })
        }
      />
      {optionsFile === undefined ? null : (
        <FileFields value={optionsFile.value} extensions={['json', 'txt', 'csv']} onChange={set} />
      )}
    </>
  )
}

function FileSetFields({ set, onChange }: SetProps) {
  const file = fileOfSet(set)
  const table = useFileTable(file, { enabled: true, watched: false })
  const columns = table.answers?.[0] === undefined ? [] : answerColumns(table.answers[0].answer)
  return (
    <>
      <FileFields
        value={file}
        extensions={['csv', 'ncsv', 'tsv', 'txt']}
        onChange={({ groupName, fileName }) => onChange({ csvFile: { groupName, name: fileName, id: '' } })}
      />
      {table.error === null ? null : (
        <p className={styles.problem} role="alert">
          {table.error.message}
        </p>
      )}
      <p className={editor.heading}>Fields</p>
      <EntryList<FileColumn>
        kind="Field"
        movable
        entries={set.fileColumns}
        newEntry={() => fileColumn.parse({})}
        onChange={(all) => onChange({ fileColumns: all })}
      >
        {(entry, change) => (
          <>
            <Combobox
              label="Column"
              value={entry.column === '' ? null : entry.column}
              allowFree
              placeholder="A column of the file"
              options={columns.map(({ name }) => ({ value: name, label: name }))}
              onChange={(name) => {
                const kind = columns.find((column) => column.name === name)?.kind
                change({ column: name ?? '', ...(kind === 'time' ? { valueType: 'DATE' } : {}) })
              }}
            />
            <div className={editor.pair}>
              <Select
                label="Holds"
                value={entry.valueType}
                options={[
                  { value: 'text', label: 'Text' },
                  { value: 'DATE', label: 'Dates' },
                ]}
                onChange={(type) => change({ valueType: type === 'DATE' ? 'DATE' : 'text' })}
              />
              <TextField
                label="Label"
                value={entry.label}
                placeholder={entry.column}
                maxLength={100}
                onChange={(label) => change({ label })}
              />
            </div>
            {entry.valueType === 'DATE' ? (
              <div className={editor.pair}>
                <DateField
                  label="Default from"
                  value={entry.defaultValueFrom}
                  onChange={(defaultValueFrom) => change({ defaultValueFrom })}
                />
                <DateField
                  label="Default to"
                  value={entry.defaultValueTo}
                  onChange={(defaultValueTo) => change({ defaultValueTo })}
                />
              </div>
            ) : (
              <>
                <OptionsFields entry={entry} onChange={change} />
                <DefaultField
                  set={set}
                  field={{
                    name: entry.column,
                    kind: 'column',
                    label: 'Initial value',
                    initial: '',
                    ...ofOptions(entry.optionsFile),
                  }}
                  value={entry.defaultValue}
                  onChange={(defaultValue) => change({ defaultValue })}
                />
              </>
            )}
          </>
        )}
      </EntryList>
    </>
  )
}

function FilterFields({ set, onChange }: SetProps) {
  return (
    <>
      <p className={editor.heading}>Conditions</p>
      <EntryList<ParamFilter>
        kind="Condition"
        movable
        entries={set.filters}
        newEntry={() => paramFilter.parse({})}
        onChange={(filters) => onChange({ filters })}
      >
        {(entry, change) => (
          <>
            <TextField
              label="Name"
              value={entry.name}
              placeholder="Close, symbols.Code or metadata.Unit"
              maxLength={500}
              onChange={(name) => change({ name })}
            />
            <div className={editor.pair}>
              <Select
                label="Operator"
                value={entry.operator}
                options={filterOperators.map((value) => ({ value, label: words(value) }))}
                onChange={(operator) => change({ operator: operator as ParamFilter['operator'] })}
              />
              {needsValue(entry.operator) ? (
                <TextField
                  label="Value"
                  value={entry.value}
                  maxLength={500}
                  onChange={(value) => change({ value })}
                />
              ) : null}
            </div>
          </>
        )}
      </EntryList>
    </>
  )
}

function RangeSetFields({ set, onChange }: SetProps) {
  return (
    <>
      <Switch
        label="Readers choose the range"
        checked={set.withDateRange}
        onChange={(withDateRange) => onChange({ withDateRange })}
      />
      {set.withDateRange ? (
        <>
          <RangeChoice
            range={{
              range: set.dataRange,
              from: set.from.slice(0, 10),
              to: set.to.slice(0, 10),
              lastType: set.lastType,
              lastTypeAmount: set.lastValue,
            }}
            onChange={({ range, from, to, lastType, lastTypeAmount }) =>
              onChange({
                dataRange: range,
                from,
                to,
                fromSelected: from !== '',
                toSelected: to !== '',
                lastType: lastType as ParamSet['lastType'],
                lastValue: lastTypeAmount,
              })
            }
          />
          <div className={editor.pair}>
            <Combobox
              label="Time zone"
              value={set.timezone}
              options={allZones().map((zone) => ({ value: zone, label: zone }))}
              onChange={(zone) => onChange({ timezone: zone ?? 'UTC' })}
            />
            <NumberField
              label="Decimals"
              value={set.decimalPrecision}
              min={0}
              max={15}
              onChange={(decimals) =>
                onChange({ decimalPrecision: Math.min(15, Math.max(0, Math.round(decimals ?? 2))) })
              }
            />
          </div>
        </>
      ) : null}
    </>
  )
}

/** A word of the data query as people read it. */
function words(word: string): string {
  return word.charAt(0) + word.slice(1).toLowerCase().replaceAll('_', ' ')
}
