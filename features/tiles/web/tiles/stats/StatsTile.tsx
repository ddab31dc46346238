import { useCallback, useMemo } from 'react'
import IconNumber123 from '@tabler/icons-react/dist/esm/icons/IconNumber123.mjs'
import { headingOf, type DataPrepSymbols } from '@headwater/tile-data/contract'
import {
  cutValuesText,
  matchingStatSeries,
  maxMatchingValues,
  statValues,
  statsTile,
} from '@headwater/tile-data/core'
import { usePatterns } from '@headwater/tile-data/web'
import { useReportRefresh } from '../../card/refresh-times.ts'
import { SeriesBadges, SeriesTileBody, useSeriesTile } from '../../card/SeriesTile.tsx'
import { PatternBadge } from '../../card/PatternBadge.tsx'
import { OmissionBadge } from '../../card/RowLimitBadge.tsx'
import { TileHeader } from '../../card/TileCard.tsx'
import { useExportMenu } from '../../exports/export-menu.tsx'
import { seriesState } from '../../card/series-state.ts'
import type { TileViewProps } from '../tile-view.ts'
import { StatFigure } from './StatFigure.tsx'
import { tableOfStats } from './stats-export.ts'
import styles from './StatsTile.module.css'

/** A stats tile has its own series. */
const noSymbols: readonly DataPrepSymbols[] = []

/** A stats tile: a statistic for each series, with change, sparkline and age. */
export default function StatsTileView({ tile, card }: TileViewProps) {
  const definition = useMemo(() => statsTile.parse(tile), [tile])
  const data = useSeriesTile(tile, noSymbols)
  const { range, series } = data
  const { results, refreshedAt } = series
  const fromElsewhere = series.isOfOtherTile || series.source.kind !== 'series'
  const { patterns, problems, load } = usePatterns(definition.conditionalFormatting)
  const matching = useMemo(
    () => results && matchingStatSeries(definition.series, results, { fromElsewhere }),
    [results, definition, fromElsewhere],
  )
  const cut = matching?.cut && cutValuesText(matching.cut)
  const valuesWith = useCallback(
    (matcher: typeof patterns) =>
      results === undefined || matching === undefined
        ? []
        : statValues({ ...definition, series: matching.series }, results, range, matcher),
    [results, matching, definition, range],
  )
  const values = useMemo(() => valuesWith(patterns), [valuesWith, patterns])
  const newest = Math.max(...values.map((value) => value.newest ?? -Infinity))
  useReportRefresh(tile.id, refreshedAt, Number.isFinite(newest) ? newest : undefined)
  const state = seriesState(data)
  const omissions = [state.omission, cut && `${cut}.`].filter((text) => text !== undefined)
  const exportMenu = useExportMenu(tile, {
    ...state,
    omission: omissions.length === 0 ? undefined : omissions.join(' '),
    table: async () => tableOfStats(valuesWith(await load())),
  })
  const filled = values.some(({ points }) => points.length > 0)
  return (
    <>
      <TileHeader
        menu={exportMenu}
        badges={
          <>
            <PatternBadge problems={problems} />
            {cut === undefined ? null : (
              <OmissionBadge
                text={cut}
                hint={`A series shows at most ${maxMatchingValues} values. Narrow its symbols to see the others.`}
              />
            )}
            <SeriesBadges data={data} filled={filled} />
          </>
        }
      />
      <SeriesTileBody
        data={data}
        editing={card.editing}
        icon={<IconNumber123 size={20} stroke={1.6} />}
        shape="rows"
      >
        {filled ? (
          <div
            className={styles.frame}
            tabIndex={0}
            role="group"
            aria-label={`Figures of ${headingOf(tile)}`}
          >
            <ul className={styles.values}>
              {values.map((value, index) => (
                <li key={index} className={styles.value}>
                  <span className={styles.label} title={value.label}>
                    {value.label}
                  </span>
                  <StatFigure value={value} definition={definition} refreshedAt={refreshedAt} />
                </li>
              ))}
            </ul>
          </div>
        ) : null}
      </SeriesTileBody>
    </>
  )
}
