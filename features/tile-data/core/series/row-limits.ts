// Row limits of pages, reports and exports. docs/guide/insights.md lists them for users.

/** Maximum number of rows that a page or a report loads in one response, regardless of the row limit of the tile. */
export const maxLoadedRows = 100_000
/** Maximum number of rows of one result in a public view. */
export const maxPublicRows = 50_000
/** Maximum number of rows that a tile loads from a file or inline CSV, until the user loads all. */
export const maxTableRows = 100_000
/** Row limit for a source tile without a range. */
export const sourceTileLastAmount = 100_000
/** Maximum number of points per series that a chart requests if not all rows fit: four for each of a thousand intervals. */
export const chartDrawPoints = 4000
/** Maximum number of rows of a sheet in a workbook without the header: a limit of XLSX. */
export const maxSheetRows = 1_048_575
/** Maximum number of characters of a cell in a workbook: a limit of XLSX. */
export const maxCellCharacters = 32_767
/** Maximum number of rows of one table in a PDF or print. */
export const maxPrintedRows = 10_000
