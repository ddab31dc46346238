import { allZones } from '@headwater/zones'
import { z } from 'zod'
import { filterOperators, needsValue } from '@headwater/symbols/contract'
import { Button, type FormItems, SchemaForm } from '@headwater/web-kit'
import { traitsOf, type InsightContent } from '@headwater/tile-data/contract'
import { useInsightData } from '@headwater/tile-data/web'
import { EntryList, ParamReach, useReach } from '@headwater/tiles/web'
import {
  paramFilter,
  paramSet,
  type ParamFilter,
  type ParamSet,
  type ChosenRange,
  dataPrepOf,
  tileSourceOf,
} from '@headwater/tile-data/core'
import { RangeChoice } from './ParamForm.tsx'
import { FileParamFields } from './FileParamFields.tsx'
import { SeriesParamFields } from './SeriesParamFields.tsx'

const schema = paramSet.extend({ id: z.string() })

const filterItems: FormItems<ParamFilter> = [
  { field: 'name', label: 'Name', placeholder: 'Close, symbols.Code or metadata.Unit', maxLength: 500 },
  [
    {
      field: 'operator',
      label: 'Operator',
      choices: filterOperators.map((value) => ({ value, label: sentenceCase(value) })),
    },
    {
      field: 'value',
      label: 'Value',
      maxLength: 500,
      when: ({ operator }) => needsValue(operator),
    },
  ],
]

const items: FormItems<ParamSet> = [
  { field: 'title', label: 'Title', maxLength: 200 },
  {
    field: 'basicInputParamsType',
    label: 'Choices from',
    choices: { TS: 'Time series', FILE: 'File' },
  },
  {
    part: (set, change) => <FileParamFields set={set} onChange={change} />,
    when: ({ basicInputParamsType }) => basicInputParamsType === 'FILE',
  },
  {
    part: (set, change) => <SeriesParamFields set={set} onChange={change} />,
    when: ({ basicInputParamsType }) => basicInputParamsType === 'TS',
  },
  {
    section: 'Conditions',
    items: [
      {
        part: ({ filters }, change) => (
          <EntryList
            kind="Condition"
            movable
            schema={paramFilter}
            items={filterItems}
            entries={filters}
            onChange={(next) => change({ filters: next })}
          />
        ),
      },
    ],
  },
  { field: 'withDateRange', label: 'Readers choose the range' },
  {
    when: ({ withDateRange }) => withDateRange,
    items: [
      {
        part: (set, change) => (
          <RangeChoice
            range={{
              range: set.dataRange,
              from: set.from.slice(0, 10),
              to: set.to.slice(0, 10),
              lastType: set.lastType,
              lastTypeAmount: set.lastValue,
            }}
            onChange={(range) => change(fieldsOfRange(range))}
          />
        ),
      },
      [
        { field: 'timezone', label: 'Time zone', as: 'combobox', choices: allZones },
        { field: 'decimalPrecision', label: 'Decimals' },
      ],
    ],
  },
  {
    section: 'For readers',
    items: [
      { field: 'description', label: 'Description', rows: 2, maxLength: 2000 },
      { field: 'submitButtonText', label: 'Button text', placeholder: 'Apply', maxLength: 60 },
      {
        field: 'isHierarchyEnabled',
        label: 'Dependent choices',
        hint: 'Each field offers only values that match the fields above it.',
      },
      {
        field: 'shouldSynchronizeParams',
        label: 'Sync fields with the same label',
        hint: 'Also sets fields with this label in other parameter sets that use this option.',
      },
      {
        field: 'shouldOpenOnStart',
        label: 'Open the panel with the insight',
        hint: 'Readers see the parameters panel when they open the insight.',
      },
      { field: 'isHidden', label: 'Hide from readers' },
    ],
  },
]

/**
 * The settings of a parameter set: the source of its choices, its fields, conditions and range, and how readers see it.
 */
export function ParamSetFields({
  set,
  onChange,
  onTiles,
}: {
  set: ParamSet
  onChange: (fields: Partial<ParamSet>) => void
  onTiles: (tiles: InsightContent['tiles']) => void
}) {
  const { content } = useInsightData()
  return (
    <>
      <ParamReach set={set} tiles={content.tiles} withProblems />
      <FollowAll set={set} onTiles={onTiles} />
      <SchemaForm schema={schema} items={items} value={set} onChange={onChange} />
    </>
  )
}

/** Binds all unbound tiles whose data can follow the set. */
function FollowAll({ set, onTiles }: { set: ParamSet; onTiles: (tiles: InsightContent['tiles']) => void }) {
  const { content } = useInsightData()
  const free = content.tiles.filter(
    (tile) =>
      tile.sourceInputParamsId === undefined &&
      traitsOf(tile.type).hasSeries === true &&
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

/** A range as a set stores it. */
function fieldsOfRange({ range, from, to, lastType, lastTypeAmount }: ChosenRange): Partial<ParamSet> {
  return {
    dataRange: range,
    from,
    to,
    fromSelected: from !== '',
    toSelected: to !== '',
    lastType: lastType as ParamSet['lastType'],
    lastValue: lastTypeAmount,
  }
}

/** Returns the display name of a term of the data query. */
function sentenceCase(name: string): string {
  return name.charAt(0) + name.slice(1).toLowerCase().replaceAll('_', ' ')
}
