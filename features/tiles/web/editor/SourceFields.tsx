import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { searchDataPreps } from '@headwater/preps/contract'
import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import {
  setOfTile,
  basketSource,
  possibleSourceTiles,
  resolveSource,
  sourceField,
  tileSourceOf,
  type TileSource,
} from '@headwater/tile-data/core'
import { useInsightData, NoPrepError, savedPrepQuery } from '@headwater/tile-data/web'
import { call, Combobox, Select, TextField } from '@headwater/web-kit'
import styles from './Editor.module.css'
import { KeepRangeSwitch } from './RangeFields.tsx'
import { FileFields } from './FileFields.tsx'
import { FollowedFields } from '../params/ParamReach.tsx'

/** Labels of the sources of a tile. */
const kinds: readonly { value: TileSource['kind']; label: string }[] = [
  { value: 'series', label: 'Series of this tile' },
  { value: 'basket', label: 'Basket' },
  { value: 'dataPrep', label: 'Saved data prep' },
  { value: 'file', label: 'File' },
  { value: 'text', label: 'Inline CSV' },
  { value: 'tile', label: 'Another tile' },
]
const prepsSize = 50
const extensions = ['csv', 'ncsv', 'tsv', 'txt']

/**
 * Chooses the source of a tile and the parameters that change its query.
 * @param children the fields of its own series, visible while they are the source
 */
export function SourceFields({
  tile,
  dataPrep,
  typed = true,
  onChange,
  children,
}: {
  tile: Tile
  dataPrep: TileDataPrep
  /** Whether data can be typed into the panel. Default true. */
  typed?: boolean
  onChange: (fields: Partial<Tile>, topic?: string) => void
  children: ReactNode
}) {
  const { content, sets } = useInsightData()
  const source = tileSourceOf(tile, dataPrep)
  const field = sourceField(tile)
  const set = (next: object, topic?: string) => onChange({ [field]: next }, topic)
  const others = possibleSourceTiles(tile, content)
  const bound = setOfTile(tile, sets)
  const resolved = resolveSource(tile, content)
  const followed = 'tile' in resolved ? setOfTile(resolved.tile, sets)?.set : undefined
  const ofOrigin =
    followed === undefined
      ? undefined
      : `“${followed.title || followed.id}” changes this tile through its source tile.`
  return (
    <>
      <Select
        label="Data from"
        value={source.kind}
        options={kinds.filter(({ value }) => typed || value !== 'text')}
        onChange={(kind) => set(newSource(tile, kind as TileSource['kind'], others))}
      />
      {source.kind === 'series' ? children : null}
      {source.kind === 'basket' ? (
        <p className={styles.quiet}>
          The tile shows the series in the basket of the insight, in the range set there.
        </p>
      ) : null}
      {source.kind === 'dataPrep' ? (
        <PrepField value={source.dataPrep} onChange={(value) => set({ type: 'DATA_PREP', value })} />
      ) : null}
      {source.kind === 'file' ? (
        <FileFields
          value={source.file}
          extensions={extensions}
          onChange={(value) => set({ type: 'FILE', value })}
        />
      ) : null}
      {source.kind === 'text' ? (
        <div className={styles.mono}>
          <TextField
            label="Rows"
            rows={14}
            value={source.text}
            maxLength={1_000_000}
            placeholder={'Region,Share\nNorth,40\nSouth,60'}
            hint="CSV; the first row names the columns."
            onChange={(dataContent) => onChange({ dataContent }, 'dataContent')}
          />
        </div>
      ) : null}
      {source.kind === 'tile' ? (
        <Select
          label="Tile"
          value={others.some(({ id }) => id === source.tileId) ? source.tileId : null}
          placeholder="Choose a tile"
          options={others.map(({ id, title }) => ({ value: id, label: title || 'Untitled' }))}
          hint={others.length === 0 ? 'No other tile has rows to use.' : undefined}
          onChange={(value) => set({ type: 'SOURCE_TILE', value })}
        />
      ) : null}
      {source.kind === 'series' || source.kind === 'basket' || source.kind === 'dataPrep' ? (
        <KeepRangeSwitch tile={tile} onChange={onChange} />
      ) : null}
      {sets.length > 0 || typeof tile.sourceInputParamsId === 'string' ? (
        <Select
          label="Parameters"
          value={textOf(tile.sourceInputParamsId)}
          options={[
            { value: '', label: 'None' },
            ...sets.map(({ set: { id, title } }) => ({ value: id, label: title || id })),
          ]}
          hint={bound === undefined ? ofOrigin : undefined}
          onChange={(id) => onChange({ sourceInputParamsId: id || undefined })}
        />
      ) : null}
      {bound === undefined ? null : <FollowedFields set={bound.set} tile={tile} />}
    </>
  )
}

function newSource(tile: Tile, kind: TileSource['kind'], others: readonly Tile[]): object {
  switch (kind) {
    case 'series':
      return { type: 'DATA_PREP', value: tile.id }
    case 'basket':
      return { type: 'DATA_PREP', value: basketSource }
    case 'dataPrep':
      return { type: 'DATA_PREP', value: { groupName: '', name: '' } }
    case 'file':
      return { type: 'FILE', value: { groupName: '', fileName: '' } }
    case 'text':
      return { type: 'EDITOR' }
    case 'tile':
      return { type: 'SOURCE_TILE', value: others[0]?.id ?? '' }
  }
}

/** Selects a saved data prep by a part of its name. */
function PrepField({
  value,
  onChange,
}: {
  value: { id: string } | { groupName: string; name: string }
  onChange: (value: { groupName: string; name: string }) => void
}) {
  const [text, setText] = useState('')
  const chosen = 'name' in value && value.name !== '' ? prepKey(value) : null
  // The initial text of the field is the chosen name, not a search.
  const query = { query: chosen !== null && text === labelOf(chosen) ? '' : text, size: prepsSize }
  const preps = useQuery({
    queryKey: [searchDataPreps.name, 'offered', query],
    queryFn: ({ signal }) => call(searchDataPreps, { query }, { signal }),
    placeholderData: (before) => before,
  })
  // The tile uses the same query, so that it runs only once.
  const definition = useQuery({ ...savedPrepQuery(value), enabled: 'id' in value || value.name !== '' })
  const matches = preps.data?.items.map(({ groupName, name }) => prepKey({ groupName, name })) ?? []
  const offered = chosen === null || matches.includes(chosen) ? matches : [chosen, ...matches]
  return (
    <Combobox
      label="Data prep"
      value={chosen}
      placeholder={'id' in value ? value.id : 'Choose a data prep'}
      options={offered.map((key) => ({ value: key, label: labelOf(key) }))}
      onSearch={setText}
      total={preps.data?.totalSize}
      loading={preps.isFetching}
      error={definition.error instanceof NoPrepError ? definition.error.message : undefined}
      onChange={(key) => {
        if (key === null) return
        const [groupName = '', name = ''] = JSON.parse(key) as string[]
        onChange({ groupName, name })
      }}
    />
  )
}

function prepKey({ groupName, name }: { groupName: string; name: string }): string {
  return JSON.stringify([groupName, name])
}

function labelOf(key: string): string {
  const [groupName, name] = JSON.parse(key) as string[]
  return `${name} · ${groupName}`
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
