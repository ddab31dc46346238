export { type PageChoices, appliedInsight } from './applied-insight.ts'
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
export { groupsIn, withGroups } from './groups-in-definition.ts'
export {
  type HeaderBox,
  copiedHeaderBox,
  headerBox,
  headerBoxesOf,
  maxHeaderBoxes,
  newHeaderBox,
  tileOfBox,
} from './header-box.ts'
export {
  type AppliedSet,
  boundFilters,
  boundTile,
  filledText,
  isLeftToTiles,
  placeholderValues,
  rowFilter,
  shownHeading,
  symbolMapsIn,
} from './params/bind-tile.ts'
export { customRangeText, pageRangeField, pageRangeIn, pageRangePresets } from './params/page-range.ts'
export { type KnownSources, reachText, tilesReached, typesWithData } from './params/param-reach.ts'
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
  synchronised,
  valuesInAddress,
  writeAddress,
} from './params/param-values.ts'
export { setToFollow } from './params/set-to-follow.ts'
export { type PartQuery, queryOfPart, queryOfShown } from './part-query.ts'
export { lastGroupOf, seriesGroupsOf } from './series/last-group.ts'
export { type LoadedAnswer } from './series/loaded-answer.ts'
export { maxLoadedRows } from './series/row-limit.ts'
export {
  SeriesAnswerError,
  answerColumns,
  noDataMessage,
  readSeriesAnswer,
  rowsBySymbol,
} from './series/series-answer.ts'
export { symbolName, symbolSignature } from './series/series-name.ts'
export { type SeriesRange, seriesRange } from './series/series-range.ts'
export { type Question, seriesQuestions, seriesRequest } from './series/series-request.ts'
export { askedData, dataPrepOf, filteredTable, isChosen, ofAnyGroup } from './sources/asked-data.ts'
export { loadedTable, readTable, readTypedTable } from './sources/read-table.ts'
export { type AppliedInsight, shownTile } from './sources/shown-tile.ts'
export { followsPage, tileRange } from './sources/tile-range.ts'
export {
  type DataPrepAddress,
  type FileAddress,
  isNamed,
  resolveSource,
  tileSourceOf,
} from './sources/tile-source.ts'
export { automaticTitle, freeTitle, isAutomatic } from './tiles/automatic-title.ts'
export { basicChartTypes, seasonFields, seriesData } from './tiles/chart/chart-data.ts'
export { type SeriesPoints, isOverNumbers, pointsOfSeries, seriesLabel } from './tiles/chart/chart-points.ts'
export { foundSeries } from './tiles/chart/found-series.ts'
export { codeDataOf } from './tiles/code-data.ts'
export { patternsIn } from './tiles/condition.ts'
export { loadPatterns } from './tiles/load-patterns.ts'
export { listOf, text } from './tiles/loose-fields.ts'
export { foundStatSeries } from './tiles/stats/found-stat-series.ts'
export { changeText, comparisonText, levelText, valueText } from './tiles/stats/stat-text.ts'
export { type StatValue, labelOf, statValues } from './tiles/stats/stat-values.ts'
export { type StatsTile, newStatsTile, statsTile } from './tiles/stats/stats-tile.ts'
export { lookupRange, lookups, tableOf, withChoices, withLookups } from './tiles/table/own-columns.ts'
export { cellText, headerOf, orderedColumns, sortRows, storedSortings } from './tiles/table/table-rows.ts'
export { newTableTile, tableTile } from './tiles/table/table-tile.ts'
export { newTextTile, textTile } from './tiles/text-tile.ts'
export { exportedTiles, visibleTiles } from './tiles/visible-tiles.ts'
