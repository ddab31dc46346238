import { type ReactNode, useMemo, useState } from 'react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCalendarX from '@tabler/icons-react/dist/esm/icons/IconCalendarX.mjs'
import IconLockOpen from '@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs'
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs'
import { Badge, EmptyState, formatNumber, IconButton } from '@headwater/web-kit'
import type { DataPrepSymbols, Tile } from '../../contract/index.ts'
import { limitText, seriesWithoutRows } from '../../core/series/row-limit.ts'
import type { SeriesRange } from '../../core/series/series-range.ts'
import { isBackwards } from '../../core/series/series-request.ts'
import { tileSourceOf, type TileSource } from '../../core/sources/tile-source.ts'
import type { SeriesOptions } from '../data/use-results.ts'
import { useRowPreview } from '../insight/row-preview.ts'
import { type TileData, useTileData } from '../data/use-tile-data.ts'
import { OmissionBadge, RowLimitBadge } from './RowLimitBadge.tsx'
import { useTileNear } from './TileCard.tsx'
import { TileError, TileForbidden, TileMessage, TileNoData, TileSkeleton } from './TileStates.tsx'
import { useAccessRequest } from './use-access-request.ts'

/** The query of a tile and its results. */
export interface SeriesTileData {
  /** The tile with the choices of the page. */
  tile: Tile
  /** The queried series. */
  symbols: readonly DataPrepSymbols[]
  /** Range of the rows. */
  range: SeriesRange
  /** The loaded rows. */
  series: TileData
  /** Number of symbols that the user cannot read. */
  hidden: number
  /** Loaded rows: `newest 5,000 of 22,683 rows`; undefined if all rows are loaded. */
  rowLimit: string | undefined
  /** Names of the series without rows because of the row limit. */
  withoutRows: readonly string[]
  /** Loads rows up to the limit of a page; undefined after it did. */
  loadAll: (() => void) | undefined
}

/**
 * Loads the data of a tile from any source when it comes near the viewport.
 * @param prepSymbols the series of its data prep, with the choices of the page
 */
export function useSeriesTile(
  tile: Tile,
  prepSymbols: readonly DataPrepSymbols[],
  options: Pick<SeriesOptions, 'window'> = {},
): SeriesTileData {
  const { near, visible } = useTileNear()
  const [all, setAll] = useState(false)
  const series = useTileData(tile, prepSymbols, { ...options, enabled: near, watched: visible, all })
  const hidden = series.symbols.filter(({ groupName }) => series.forbiddenGroups.includes(groupName)).length
  const isFile = series.source.kind === 'file'
  const withoutRows = useMemo(
    () =>
      seriesWithoutRows(
        series.symbols.filter(({ groupName }) => !series.forbiddenGroups.includes(groupName)),
        series.results ?? [],
      ),
    [series.results, series.symbols, series.forbiddenGroups],
  )
  return {
    tile,
    symbols: series.symbols,
    range: series.range,
    series,
    hidden,
    rowLimit: limitText(
      (series.results ?? []).map(({ result }) => result),
      isFile ? 'first' : 'newest',
    ),
    withoutRows,
    loadAll: all ? undefined : () => setAll(true),
  }
}

/** Badges about data that a tile does not show. `filled`: whether it shows any. */
export function SeriesBadges({ data, filled }: { data: SeriesTileData; filled: boolean }) {
  const { series, symbols, hidden, rowLimit, withoutRows, loadAll } = data
  const { preview, setPreview } = useRowPreview()
  const request = useAccessRequest(data.tile, symbols, series.forbiddenGroups)
  return (
    <>
      {preview?.tileIds.includes(data.tile.id) ? (
        <>
          <Badge>{Object.values(preview.values).join(' ').slice(0, 40)}</Badge>
          <IconButton
            label="Show all series"
            icon={<IconFilterOff size={14} stroke={1.6} />}
            onClick={() => setPreview(undefined)}
          />
        </>
      ) : null}
      {rowLimit === undefined ? null : (
        <RowLimitBadge text={rowLimit} ofFile={series.source.kind === 'file'} onAll={loadAll} />
      )}
      {withoutRows.length === 0 ? null : (
        <OmissionBadge text={withoutRowsText(withoutRows)} hint={withoutRowsHint(withoutRows)} />
      )}
      {hidden > 0 && filled ? (
        <Badge kind="warn" icon={<IconAlertTriangle size={12} stroke={1.6} />}>
          {hidden} of {symbols.length} symbols hidden
        </Badge>
      ) : null}
      {hidden > 0 && filled && request !== undefined && !request.sent ? (
        <IconButton
          label="Request access"
          icon={<IconLockOpen size={14} stroke={1.6} />}
          disabled={request.sending}
          onClick={request.send}
        />
      ) : null}
    </>
  )
}

/** Names the series without rows. */
export function withoutRowsText(names: readonly string[], what = 'no rows'): string {
  return `${names.length === 1 ? names[0]! : `${formatNumber(names.length)} series`}: ${what}`
}

/** Maximum number of names in a hint. */
const maxNames = 10

/** Lists the first names, and counts the others. */
export function listedNames(names: readonly string[]): string {
  const others = names.length > maxNames ? ` and ${formatNumber(names.length - maxNames)} more` : ''
  return `${names.slice(0, maxNames).join(', ')}${others}`
}

function withoutRowsHint(names: readonly string[]): string {
  return `${listedNames(names)}: no values among the newest rows. Load all rows, or choose a shorter range or fewer series.`
}

/** The content of a tile, or why there is none. */
export function SeriesTileBody({
  data,
  editing,
  icon,
  shape,
  children,
}: {
  data: SeriesTileData
  editing: boolean
  /** Icon of the empty state. */
  icon: ReactNode
  shape: 'chart' | 'rows'
  /** The content; null if the results are empty. */
  children: ReactNode
}) {
  const { symbols, range, series, hidden } = data
  const { kind } = series.source
  const request = useAccessRequest(data.tile, symbols, series.forbiddenGroups)
  const own = tileSourceOf(data.tile, undefined)
  if (own.kind === 'tile' && own.tileId === '')
    return <NothingChosen icon={icon} editing={editing} kind="tile" />
  if (!series.isChosen) return <NothingChosen icon={icon} editing={editing} kind={kind} />
  if (kind !== 'dataPrep' && symbols.length > 0 && isBackwards(range))
    return <BackwardsRange editing={editing} isBasket={kind === 'basket'} />
  if (series.error)
    return <TileError error={series.error} onRetry={series.canRetry ? series.retry : undefined} />
  if (series.results === undefined) return <TileSkeleton shape={shape} />
  if (children !== null) return children
  return hidden > 0 ? (
    <TileForbidden groups={series.forbiddenGroups} hidden={hidden} all={symbols.length} request={request} />
  ) : (
    <TileNoData />
  )
}

const chosenTexts: Record<TileSource['kind'], { title: string; text: string }> = {
  series: { title: 'No series yet', text: 'Add series in the panel on the right.' },
  basket: { title: 'The basket is empty', text: 'Add series to the basket of the insight.' },
  dataPrep: { title: 'No data prep yet', text: 'Choose a data prep in the panel on the right.' },
  file: { title: 'No file yet', text: 'Choose a file in the panel on the right.' },
  tile: { title: 'No tile yet', text: 'Choose a tile in the panel on the right.' },
  text: { title: 'No rows yet', text: 'Type or paste CSV in the panel on the right.' },
}

function NothingChosen({
  icon,
  editing,
  kind,
}: {
  icon: ReactNode
  editing: boolean
  kind: TileSource['kind']
}) {
  const { title, text } = chosenTexts[kind]
  return (
    <TileMessage>
      <EmptyState icon={icon} title={title}>
        {editing || kind === 'basket' ? text : 'Edit the insight to add some.'}
      </EmptyState>
    </TileMessage>
  )
}

function BackwardsRange({ editing, isBasket }: { editing: boolean; isBasket: boolean }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconCalendarX size={20} stroke={1.6} />} title="The range ends before it begins">
        {isBasket
          ? 'Correct the dates of the basket, in its panel under SETTINGS.'
          : editing
            ? 'Correct its dates under Data in the panel on the right.'
            : 'Edit the insight to correct the dates of this tile.'}
      </EmptyState>
    </TileMessage>
  )
}
