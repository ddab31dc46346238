/** Fill types that need `avgPointsAmount`. */
export const fillTypesWithAmount: readonly string[] = ['AVERAGE']

/** Sort directions of the timestamps. */
export const dataPrepOrders = ['asc', 'desc'] as const

/** Default date pattern: local ISO date-time with milliseconds. */
export const backendIsoFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"

/** Name of the series store; there is only one. */
export const warehouseSource = 'WarehouseService'

/** Maximum number of entries in a basket, as many as keys of a data query. */
export const maxDataPrepSymbols = 10_000

/** Type of the files that runs write. They are not ingested. */
export const dataPrepFileType = 'DATA_PREP'
