export { AddButton } from './editor/AddButton.tsx'
export { CellIcon } from './cells/CellIcon.tsx'
export { CommonFields } from './editor/CommonFields.tsx'
export { default as editorStyles } from './editor/Editor.module.css'
export { EntryList } from './editor/EntryList.tsx'
export { FileFields } from './editor/FileFields.tsx'
export { FoldedItem } from './editor/FoldedItem.tsx'
export { ListTools } from './editor/ListTools.tsx'
export { PatternBadge } from './card/PatternBadge.tsx'
export { RangeFields } from './editor/RangeFields.tsx'
export { type PickedSeries, SeriesPicker } from './editor/SeriesPicker.tsx'
export { useSeriesTile } from './card/SeriesTile.tsx'
export { TileCard, TileFrame } from './card/TileCard.tsx'
export { PartBroken, TileMessage, TileSkeleton } from './card/TileStates.tsx'
export { barStyle } from './cells/cell-bar.ts'
export { errorOfFields, isPathOf, reportOtherErrors } from './editor/field-path.ts'
export { baseNameOf, fileNameOf } from './exports/file-name.ts'
export {
  RefreshTimesContext,
  useNewRefreshTimes,
  useRefreshTimes,
  useReportRefresh,
} from './card/refresh-times.ts'
export { sizeLabel, steppedSize } from './card/tile-size.ts'
export { useSelectedInView } from './editor/use-selected-in-view.ts'
export { type TileDrag, useTileDrag } from './card/use-tile-drag.ts'
export { columnCount, useTileResize } from './card/use-tile-resize.ts'
export { type ExportForm, exportAs, exportFormNames, exportFormsOf } from './exports/export-forms.ts'
export { reportOmission } from './exports/export-menu.tsx'
export { type CellLook, type ExportTable, csvOf } from './exports/export-table.ts'
export { loadXlsx } from './exports/load-xlsx.ts'
export {
  ExportHostContext,
  type TileExport,
  type TileExports,
  createTileExports,
  useExportHost,
  useTileExport,
} from './exports/tile-exports.ts'
export { formatOmission, sheetOmission } from './exports/sheet-omission.ts'
export { type XlsxSheet, sheetNames } from './exports/xlsx.ts'
export { ParamReach } from './params/ParamReach.tsx'
export { useReach } from './params/use-reach.ts'
export { ChartGroupContext, createChartGroup } from './tiles/chart/chart-sync.ts'
export { storedPalette } from './tiles/chart/stored-palette.ts'
export { seriesOfPicked, withSeries } from './tiles/chart/picked-series.ts'
export { codeTile, codeTypes, isFreeMarker, newCodeTile } from './tiles/code/code-tile.ts'
export { imageTile, newImageTile } from './tiles/image/image-tile.ts'
export { newPdfTile, pdfTile } from './tiles/pdf/pdf-tile.ts'
export { appliedFilters, defaultFilters, meetsFilters, plainText } from './tiles/search/filter-symbols.ts'
export { newSearchTile, searchTile } from './tiles/search/search-tile.ts'
export { StatFigure } from './tiles/stats/StatFigure.tsx'
export { comparisonNames, risingNames, statisticNames } from './tiles/stats/stat-names.ts'
export { preloadCharts, preloadTiles, tileKindOf } from './tiles/tile-kinds.ts'
export { type CardProps } from './tiles/tile-view.ts'
export { useOffersWorkflows, useTileSight } from './tiles/visible-tiles.ts'
export { newWorkflowTile, statusTile, workflowKinds } from './tiles/workflow/workflow-tile.ts'
