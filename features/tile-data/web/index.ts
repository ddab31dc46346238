export { tooLargeText } from './data/file-limit.ts'
export { findLakeFile } from './data/find-lake-file.ts'
export { NoPrepError } from './data/no-prep-error.ts'
export { isNotForVisitors, notForVisitors } from './data/not-for-visitors.ts'
export { savedPrepQuery } from './data/saved-prep-query.ts'
export { useFileTable, useLoadedFiles } from './data/use-file-table.ts'
export { usePatterns } from './data/use-patterns.ts'
export type { SeriesOptions } from './data/use-results.ts'
export { useSeries } from './data/use-series.ts'
export { type TileData, useTileData } from './data/use-tile-data.ts'
export { InsightDataProvider } from './insight/InsightDataProvider.tsx'
export { type InsightData, useAppliedTile, useHasPageRange, useInsightData } from './insight/insight-data.ts'
export {
  countedFrom,
  describePageRange,
  describeRange,
  rangeKinds,
  rangeUnits,
} from './insight/range-text.ts'
export { useRowPreview } from './insight/row-preview.ts'
export { useChoosable, VisitorLimitsContext } from './insight/visitor-limits.ts'
export { draftRoute, tileDataKey, type TileDataRoute } from './requests/tile-data-route.ts'
