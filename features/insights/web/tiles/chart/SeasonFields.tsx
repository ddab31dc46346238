import { SEASON_STARTS } from '@headwater/charts'
import { NumberField, Select, Switch } from '@headwater/web-kit'
import type { Tile } from '../../../contract/index.ts'
import { maxSeasonLines } from '../../../contract/tiles/chart/chart-data.ts'
import type { ChartTile } from './chart-tile.ts'

/** How many years are lines once the range is switched on: the newest one, and the one before to compare it with. */
const linesOverRange = 2

/** The settings of a seasonality chart: where its years begin, and what it draws of them. */
export function SeasonFields({
  chart,
  onChange,
}: {
  chart: ChartTile
  onChange: (fields: Partial<Tile>, topic?: string) => void
}) {
  return (
    <>
      <Select
        label="First month of the year"
        value={chart.seasonality}
        options={SEASON_STARTS.map((value) => ({ value, label: value }))}
        onChange={(seasonality) => onChange({ seasonality })}
      />
      <Switch
        label="Five-year range"
        hint="A band from the lowest to the highest value of the five years before the newest one. At least two of these years need data."
        checked={chart.seasonRange}
        onChange={(seasonRange) =>
          onChange({
            seasonRange,
            // All years as lines would hide the band.
            ...(seasonRange && chart.seasonLines === undefined ? { seasonLines: linesOverRange } : {}),
          })
        }
      />
      <Switch
        label="Five-year average"
        checked={chart.seasonAverage}
        onChange={(seasonAverage) => onChange({ seasonAverage })}
      />
      <NumberField
        label="Years shown as lines"
        value={chart.seasonLines}
        min={1}
        max={maxSeasonLines}
        placeholder="all"
        onChange={(lines) =>
          onChange(
            {
              seasonLines:
                lines === undefined ? undefined : Math.min(maxSeasonLines, Math.max(1, Math.round(lines))),
            },
            'seasonLines',
          )
        }
      />
    </>
  )
}
