export { type PageChoices, appliedInsight } from './insight/applied-insight.ts'
export {
  type Basket,
  type BasketItem,
  basketOf,
  basketProblem,
  basketSymbols,
  hasBasket,
  itemName,
  itemProblem,
  manyItems,
  moved,
  newItem,
  swapped,
  withAdded,
} from './basket/basket.ts'
export { groupsIn, withGroups } from './insight/groups-in-definition.ts'
export {
  type HeaderBox,
  copiedHeaderBox,
  headerBox,
  headerBoxesOf,
  maxHeaderBoxes,
  newHeaderBox,
  tileOfBox,
} from './insight/header-box.ts'
export {
  type AppliedSet,
  boundFilters,
  boundTile,
  filledText,
  isLeftToTiles,
  placeholderValues,
  rowFilter,
  appliedHeading,
  symbolMapsIn,
} from './params/bind-tile.ts'
export { customRangeText, pageRangeField, pageRangeIn, pageRangePresets } from './params/page-range.ts'
export { type KnownSources, queriedColumns, reachText, tilesReached } from './insight/param-reach.ts'
export {
  type FileColumn,
  type ParamField,
  type ParamFilter,
  type ParamKey,
  type ParamSet,
  anyValue,
  fieldsOf,
  fileColumn,
  fileOfSet,
  inOrder,
  isUnnamed,
  joinDates,
  newParamSet,
  noValueLabel,
  ofOptions,
  paramFilter,
  paramKey,
  paramSet,
  paramSetsOf,
  splitDates,
} from './params/param-set.ts'
export {
  type ChosenRange,
  type ParamValues,
  initialValues,
  rangeField,
  sameValues,
  valuesToApply,
  valuesInAddress,
  writeAddress,
  rangeInText,
} from './params/param-values.ts'
export { setToFollow } from './insight/set-to-follow.ts'
export { type PartQuery, queryOfPart, queryOfTile } from './insight/part-query.ts'
export { lastGroupOf, seriesGroupsOf } from './insight/last-group.ts'
export { type LoadedResult } from './series/loaded-result.ts'
export { maxLoadedRows, maxPrintedRows, maxPublicRows, maxSheetRows } from './series/row-limits.ts'
export {
  SeriesResultError,
  resultColumns,
  noDataMessage,
  readSeriesResult,
  rowsBySymbol,
} from './series/series-result.ts'
export { listedNames, symbolName, symbolSignature } from './series/series-name.ts'
export { type SeriesRange, seriesRange } from './series/series-range.ts'
export { type SeriesQuery, seriesQueries, seriesRequest } from './series/series-request.ts'
export { tileQuery, dataPrepOf, filteredTable, isChosen, ofAnyGroup } from './insight/tile-query.ts'
export { loadedTable, readTable, readTableText } from './sources/read-table.ts'
export { type AppliedInsight, appliedTile } from './insight/applied-tile.ts'
export { followsPage, tileRange } from './insight/tile-range.ts'
export {
  type DataPrepAddress,
  type FileAddress,
  isNamed,
  resolveSource,
  tileSourceOf,
} from './sources/tile-source.ts'
export { automaticTitle, freeTitle, isAutomatic } from './common/automatic-title.ts'
export { basicChartTypes, seasonFields, seriesData } from './tiles/chart/chart-data.ts'
export { drawnChart, hasPoints } from './tiles/chart/chart-spec-of-tile.ts'
export { type ChartSeries, type ChartTile, chartTile } from './tiles/chart/chart-tile.ts'
export { type SeriesPoints, isOverNumbers, pointsOfSeries, seriesLabels } from './tiles/chart/chart-points.ts'
export { cutLinesText, matchingSeries } from './tiles/chart/matching-series.ts'
export { codeDataOf } from './tiles/code/code-data.ts'
export { patternsIn } from './conditions/condition.ts'
export { loadPatterns } from './conditions/load-patterns.ts'
export { listOf, text } from './common/loose-fields.ts'
export { cutValuesText, matchingStatSeries } from './tiles/stats/matching-stat-series.ts'
export { changeText, comparisonText, levelText, valueText } from './tiles/stats/stat-text.ts'
export { type StatValue, labelOf, statValues } from './tiles/stats/stat-values.ts'
export { type StatsTile, newStatsTile, statsTile } from './tiles/stats/stats-tile.ts'
export { lookupRange, lookups, tableOf, withChoices, withLookups } from './tiles/table/computed-columns.ts'
export { cellText, headerOf, orderedColumns, sortRows, storedSortings } from './tiles/table/table-rows.ts'
export { newTableTile, tableTile } from './tiles/table/table-tile.ts'
export { newTextTile, textTile } from './tiles/text/text-tile.ts'
export { exportedTiles, visibleTiles } from './insight/visible-tiles.ts'
