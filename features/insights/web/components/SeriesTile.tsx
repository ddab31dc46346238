import { type ReactNode, useMemo, useState } from 'react'
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs'
import IconCalendarX from '@tabler/icons-react/dist/esm/icons/IconCalendarX.mjs'
import { Badge, EmptyState } from '@headwater/web-kit'
import type { DataPrepSymbols, Tile } from '../../contract/index.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { isBackwards } from '../series/series-request.ts'
import { type TileSeries, useSeries } from '../series/use-series.ts'
import { otherSourceOf } from '../tiles/other-source.ts'
import { RowLimitBadge } from './RowLimitBadge.tsx'
import { useTileNear } from './TileCard.tsx'
import {
  TileError,
  TileForbidden,
  TileMessage,
  TileNoData,
  TileOtherSource,
  TileSkeleton,
} from './TileStates.tsx'

/** What a tile asked storage for, and what came. */
export interface SeriesTileData {
  tile: Tile
  symbols: readonly DataPrepSymbols[]
  range: SeriesRange
  series: TileSeries
  /** How many of the symbols the user cannot read. */
  hidden: number
  /** Asks again without the row limit. */
  loadAll: () => void
}

/** Asks for the series of a tile once it comes near the window. */
export function useSeriesTile(tile: Tile, symbols: readonly DataPrepSymbols[]): SeriesTileData {
  const { near, visible } = useTileNear()
  const [all, setAll] = useState(false)
  const range = useMemo(() => seriesRange.parse(tile), [tile])
  const series = useSeries(symbols, range, { enabled: near && !isBackwards(range), watched: visible, all })
  const hidden = symbols.filter(({ groupName }) => series.forbiddenGroups.includes(groupName)).length
  return { tile, symbols, range, series, hidden, loadAll: () => setAll(true) }
}

/** What of its data a tile does not show; `filled` tells whether it shows any. */
export function SeriesBadges({ data, filled }: { data: SeriesTileData; filled: boolean }) {
  const { range, series, symbols, hidden, loadAll } = data
  return (
    <>
      {series.answers?.some(({ answer }) => answer.limited) ? (
        <RowLimitBadge range={range} onAll={loadAll} />
      ) : null}
      {hidden > 0 && filled ? (
        <Badge kind="warn" icon={<IconAlertTriangle size={12} stroke={1.6} />}>
          {hidden} of {symbols.length} symbols hidden
        </Badge>
      ) : null}
    </>
  )
}

/** The picture of a tile, or why there is none. */
export function SeriesTileBody({
  data,
  editing,
  icon,
  shape,
  children,
}: {
  data: SeriesTileData
  editing: boolean
  /** Stands above the words when no series have been chosen. */
  icon: ReactNode
  shape: 'chart' | 'rows'
  /** The picture; null when what came has nothing to show. */
  children: ReactNode
}) {
  const { tile, symbols, range, series, hidden } = data
  if (symbols.length === 0) {
    const other = otherSourceOf(tile)
    return other === undefined ? <NoSeries icon={icon} editing={editing} /> : <TileOtherSource from={other} />
  }
  if (isBackwards(range)) return <BackwardsRange editing={editing} />
  if (series.error) return <TileError error={series.error} onRetry={series.retry} />
  if (series.answers === undefined) return <TileSkeleton shape={shape} />
  if (children !== null) return children
  return hidden > 0 ? (
    <TileForbidden groups={series.forbiddenGroups} hidden={hidden} all={symbols.length} />
  ) : (
    <TileNoData />
  )
}

function NoSeries({ icon, editing }: { icon: ReactNode; editing: boolean }) {
  return (
    <TileMessage>
      <EmptyState icon={icon} title="No series yet">
        {editing ? 'Add series in the panel on the right.' : 'Edit the insight to add some.'}
      </EmptyState>
    </TileMessage>
  )
}

function BackwardsRange({ editing }: { editing: boolean }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconCalendarX size={20} stroke={1.6} />} title="The range ends before it begins">
        {editing
          ? 'Correct its dates under Data in the panel on the right.'
          : 'Edit the insight to correct the dates of this tile.'}
      </EmptyState>
    </TileMessage>
  )
}
