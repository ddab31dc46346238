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
  setOfTile,
} from './params/bind-tile.ts'
export { customRangeText, pageRangeField, pageRangeIn, pageRangePresets } from './params/page-range.ts'
export {
  type KnownSources,
  queriedColumns,
  reachText,
  tilesReached,
  isBoundTo,
  type TileReach,
} from './insight/param-reach.ts'
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
  valuesInUrl,
  writeAddress,
  rangeInText,
} from './params/param-values.ts'
export { setToFollow } from './insight/set-to-follow.ts'
export { type PartQuery, queryOfPart, queryOfTile } from './insight/part-query.ts'
export { lastGroupOf, seriesGroupsOf } from './insight/last-group.ts'
export { type LoadedResult } from './series/loaded-result.ts'
export {
  maxLoadedRows,
  maxPrintedRows,
  maxPublicRows,
  maxSheetRows,
  maxCellCharacters,
} from './series/row-limits.ts'
export {
  SeriesResultError,
  resultColumns,
  noDataMessage,
  readSeriesResult,
  rowsBySymbol,
  type ResultColumn,
  type SeriesResult,
  symbolsIn,
} from './series/series-result.ts'
export { listedNames, symbolName, symbolSignature, givenNames } from './series/series-name.ts'
export { type SeriesRange, seriesRange, newSeriesRange } from './series/series-range.ts'
export { type SeriesQuery, seriesQueries, seriesRequest, isBackwards } from './series/series-request.ts'
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
  basketSource,
  possibleSourceTiles,
  sourceField,
  type TileSource,
} from './sources/tile-source.ts'
export { automaticTitle, freeTitle, isAutomatic } from './common/automatic-title.ts'
export {
  basicChartTypes,
  seasonFields,
  seriesData,
  chartSymbols,
  defaultMovingAverage,
} from './tiles/chart/chart-data.ts'
export { drawnChart, hasPoints, chartSpecOfTile, seriesColors } from './tiles/chart/chart-spec-of-tile.ts'
export {
  type ChartSeries,
  type ChartTile,
  chartTile,
  chartAxis,
  chartRule,
  chartSeries,
  clearedChartTile,
  maxUnit,
  newChartSeries,
  newChartTile,
} from './tiles/chart/chart-tile.ts'
export {
  type SeriesPoints,
  isOverNumbers,
  pointsOfSeries,
  seriesLabels,
  seriesLabel,
} from './tiles/chart/chart-points.ts'
export { cutLinesText, matchingSeries, maxDynamicLines } from './tiles/chart/matching-series.ts'
export { codeDataOf, type CodeData } from './tiles/code/code-data.ts'
export {
  patternsIn,
  type Condition,
  conditionLabel,
  conditions,
  meets,
  type StoredCondition,
} from './conditions/condition.ts'
export { loadPatterns } from './conditions/load-patterns.ts'
export { listOf, text, fileSource, type TextSource, textSource } from './common/loose-fields.ts'
export { cutValuesText, matchingStatSeries, maxMatchingValues } from './tiles/stats/matching-stat-series.ts'
export { changeText, comparisonText, levelText, valueText } from './tiles/stats/stat-text.ts'
export {
  type StatValue,
  labelOf,
  statValues,
  compared,
  type StatChange,
  statisticOf,
  statLabels,
  type StatPoint,
} from './tiles/stats/stat-values.ts'
export {
  type StatsTile,
  newStatsTile,
  statsTile,
  type Comparison,
  type Level,
  type Statistic,
  type StatSeries,
  statSymbols,
  threshold,
  type Threshold,
} from './tiles/stats/stats-tile.ts'
export {
  lookupRange,
  lookups,
  tableOf,
  withChoices,
  withLookups,
  type ChosenCells,
  groupColumnWidth,
  isChoice,
  maxLookups,
  rowKeys,
  withGroupNames,
} from './tiles/table/computed-columns.ts'
export {
  cellText,
  headerOf,
  orderedColumns,
  sortRows,
  storedSortings,
  columnDecimals,
  type DisplayColumn,
  footerText,
  type Sorting,
  tableCsv,
} from './tiles/table/table-rows.ts'
export {
  newTableTile,
  tableTile,
  asyncFilter,
  type AsyncFilter,
  type ColumnType,
  footerValues,
  groupColumnId,
  type IconSet,
  menuAction,
  type MenuAction,
  rowConfig,
  type RowConfig,
  type RowId,
  rowIds,
  type RuleKind,
  type TableColumn,
  tableColumn,
  tableRule,
  type TableRule,
  type TableTile,
  textAligns,
  textStyles,
  tooltipEntry,
  type TooltipEntry,
} from './tiles/table/table-tile.ts'
export { newTextTile, textTile } from './tiles/text/text-tile.ts'
export { exportedTiles, visibleTiles, type TileSight } from './insight/visible-tiles.ts'
export { commonTile, type CommonTile } from './common/common-tile.ts'
export { maxPattern, maxSubject, type Patterns, tooLongPattern } from './conditions/patterns.ts'
export { createPatterns } from './conditions/re2-patterns.ts'
export { mergeResults } from './series/merge-results.ts'
export { limitText, seriesWithoutRows } from './series/row-limit.ts'
export { wallClockReader } from './series/wall-clock.ts'
export { formatCellDate, formatCellNumber } from './tiles/table/format-cell.ts'
