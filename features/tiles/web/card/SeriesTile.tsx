import { type ComponentProps, type ReactNode, useMemo, useState } from 'react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconLockOpen from '@tabler/icons-react/dist/esm/icons/IconLockOpen.mjs'
import IconFilterOff from '@tabler/icons-react/dist/esm/icons/IconFilterOff.mjs'
import type { DataPrepSymbols, Tile } from '@headwater/tile-data/contract'
import {
  limitText,
  seriesWithoutRows,
  listedNames,
  type SeriesRange,
  isBackwards,
  tileSourceOf,
} from '@headwater/tile-data/core'
import { type SeriesOptions, useRowPreview, type TileData, useTileData } from '@headwater/tile-data/web'
import { Badge, formatNumber, IconButton, lazyPart, PartBoundary } from '@headwater/web-kit'
import { OmissionBadge, RowLimitBadge } from './RowLimitBadge.tsx'
import { useTileNear } from './TileCard.tsx'
import { TileError, TileForbidden, TileNoData, TileSkeleton } from './TileStates.tsx'
import { useAccessRequest } from './use-access-request.ts'

const NoQuery = lazyPart(() => import('./NoQuery.tsx'))

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
  /** Loads rows up to the limit of a page; undefined after they have loaded. */
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

/** Badges about data that a tile omits. `filled`: whether it displays any data. */
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

function withoutRowsHint(names: readonly string[]): string {
  return `${listedNames(names)}: no values among the newest rows. Load all rows, or choose a shorter range or fewer series.`
}

/** The content of a tile, or the reason why there is none. */
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
  const noQuery = (props: Pick<ComponentProps<typeof NoQuery>, 'kind' | 'isBackwards'>) => (
    <PartBoundary fallback={<TileSkeleton shape={shape} />}>
      <NoQuery icon={icon} editing={editing} {...props} />
    </PartBoundary>
  )
  if (own.kind === 'tile' && own.tileId === '') return noQuery({ kind: 'tile' })
  if (!series.isChosen) return noQuery({ kind })
  if (kind !== 'dataPrep' && symbols.length > 0 && isBackwards(range))
    return noQuery({ kind, isBackwards: true })
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
